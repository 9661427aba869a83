// SPDX-License-Identifier: Apache-2.0
/**
 * Passkeys for an application. {@link dev.porchlight.passkey.PasskeyService} starts and finishes registrations and
 * authentications for the relying party of a {@link dev.porchlight.passkey.PasskeyConfig}. Options are written as the JSON
 * that browsers accept, results name the step that refused, and a {@link dev.porchlight.passkey.CeremonyListener} is notified
 * of every step. This package and {@link dev.porchlight.passkey.store} are the API of the module.
 */
package dev.porchlight.passkey;
