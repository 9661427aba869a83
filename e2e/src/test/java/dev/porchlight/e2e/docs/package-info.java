// SPDX-License-Identifier: Apache-2.0
/**
 * The documentation, held to the truth: {@link dev.porchlight.e2e.docs.DocsTest} follows its links and asks who runs its
 * commands, {@link dev.porchlight.e2e.docs.GettingStartedTest} does what a newcomer is told to do, and
 * {@link dev.porchlight.e2e.docs.ClaimsTest} looks for the code and the tests that the pages about security name.
 */
package dev.porchlight.e2e.docs;
