// SPDX-License-Identifier: Apache-2.0
/**
 * In-process verification, compared with webauthn4j and Yubico's library: each gets the response's JSON and has the
 * credential record in memory. {@link dev.porchlight.bench.passkey.Material} holds responses of a soft authenticator.
 */
@NullMarked
package dev.porchlight.bench.passkey;

import org.jspecify.annotations.NullMarked;
