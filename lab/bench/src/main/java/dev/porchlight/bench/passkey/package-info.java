// SPDX-License-Identifier: Apache-2.0
/**
 * Verification in this process, beside webauthn4j and Yubico's library: everyone is handed the response's JSON and has the
 * passkey's record in memory. {@link dev.porchlight.bench.passkey.Material} is what a software authenticator answered.
 */
@NullMarked
package dev.porchlight.bench.passkey;

import org.jspecify.annotations.NullMarked;
