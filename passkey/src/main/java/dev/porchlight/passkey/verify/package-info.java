// SPDX-License-Identifier: Apache-2.0
/**
 * The two ceremonies of WebAuthn Level 2, sections 7.1 and 7.2, with the checks Level 3 added, as pure functions.
 *
 * <p>{@link dev.porchlight.passkey.verify.RegistrationCeremony} and {@link
 * dev.porchlight.passkey.verify.AssertionCeremony} read from top to bottom like their sections. Each {@link
 * dev.porchlight.passkey.Step} owns its label, refusal code and sections; each check reports what it expected and
 * found, and a {@link dev.porchlight.passkey.verify.StepObserver} receives that transcript. Nothing here reads a clock, a
 * random number or a database: their values are arguments.
 */
package dev.porchlight.passkey.verify;
