// SPDX-License-Identifier: Apache-2.0
/** Software authenticators as parameters of JUnit tests. */
package dev.porchlight.testkit.junit;
