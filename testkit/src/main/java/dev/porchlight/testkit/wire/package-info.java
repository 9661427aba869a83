// SPDX-License-Identifier: Apache-2.0
/**
 * Minimal encoders for CBOR, DER and base64url, and a JSON parser and writer. Not exported. Independent of the relying
 * party's parsers, so that neither inherits the other's mistakes.
 */
package dev.porchlight.testkit.wire;
