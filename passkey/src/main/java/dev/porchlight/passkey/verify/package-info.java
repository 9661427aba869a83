// SPDX-License-Identifier: Apache-2.0
/**
 * The two procedures of WebAuthn Level 2, sections 7.1 and 7.2, with the checks Level 3 added, as pure functions.
 *
 * <p>{@link dev.porchlight.passkey.verify.Step} names every way to be refused, in the order of the procedures. {@link
 * dev.porchlight.passkey.verify.ClientDataCeremony} judges what both share, {@link
 * dev.porchlight.passkey.verify.RegistrationCeremony} and {@link dev.porchlight.passkey.verify.AssertionCeremony} the
 * rest; each reads from top to bottom like its section. Nothing here reads a clock, a random number or a database: what
 * those say comes as an argument.
 */
package dev.porchlight.passkey.verify;
