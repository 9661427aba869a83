// SPDX-License-Identifier: Apache-2.0
/**
 * Passkeys for an application: {@link dev.porchlight.passkey.PasskeyService} starts and finishes registrations and
 * authentications, {@link dev.porchlight.passkey.PasskeyConfig} says for whom. Options print themselves as the JSON a
 * browser takes; results are values that say what was refused and at which step; {@link
 * dev.porchlight.passkey.CeremonyListener} hears of everything. Parsing, judging and storing live in the packages below,
 * which know nothing of this one.
 */
package dev.porchlight.passkey;
