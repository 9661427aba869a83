// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;

/**
 * How far a chain had come when it was last written, under a keyed hash of its own: what a chain alone cannot tell once its
 * newest rows are gone.
 *
 * @param chain whose head it is; the empty name is {@link #ALL}'s
 * @param seq the place of the chain's newest row
 * @param hash that row's hash
 * @param seal the keyed hash over the three
 */
record AuditHead(String chain, long seq, String hash, String seal) {
    /** The name under which {@code seq} counts the chains that were begun. */
    static final String ALL = "";

    static AuditHead of(String chain, long seq, String hash, KeyedHash hashing) {
        return new AuditHead(chain, seq, hash, seal(chain, seq, hash, hashing));
    }

    boolean isGenuine(KeyedHash hashing) {
        return seal.equals(seal(chain, seq, hash, hashing));
    }

    private static String seal(String chain, long seq, String hash, KeyedHash hashing) {
        return AuditRow.digest(hashing, "head", chain, Long.toString(seq), hash);
    }
}
