// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the documentation: {@link dev.porchlight.e2e.docs.DocsTest} checks its links, {@link
 * dev.porchlight.e2e.docs.GettingStartedTest} runs its commands, and {@link dev.porchlight.e2e.docs.ClaimsTest} checks the code
 * and tests that the security pages name.
 */
package dev.porchlight.e2e.docs;
