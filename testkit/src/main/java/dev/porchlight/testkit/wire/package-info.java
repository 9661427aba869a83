// SPDX-License-Identifier: Apache-2.0
/**
 * The encodings the kit speaks, each just large enough: JSON both ways, CBOR and DER written only, base64url.
 * Not exported. Written apart from the relying party's own readers, so that neither can inherit the other's mistakes.
 */
package dev.porchlight.testkit.wire;
