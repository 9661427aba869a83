// SPDX-License-Identifier: Apache-2.0
/**
 * The software authenticator as a command line, for trying a relying party out with curl. It stands on the kit's front door,
 * and nothing stands on it. Not exported.
 */
package dev.porchlight.testkit.cli;
