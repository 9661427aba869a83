// SPDX-License-Identifier: Apache-2.0
/**
 * A command line for the software authenticator, for testing a relying party with curl. Not exported.
 */
package dev.porchlight.testkit.cli;
