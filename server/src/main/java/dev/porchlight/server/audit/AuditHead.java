// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;

/**
 * The position of the newest row of a chain, with a keyed hash. Reveals that the newest rows of a chain were deleted.
 *
 * @param chain the chain; the empty name is {@link #ALL}
 * @param seq the position of the chain's newest row
 * @param hash that row's hash
 * @param seal the keyed hash over the other components
 */
record AuditHead(String chain, long seq, String hash, String seal) {
    /** The name of the head whose {@code seq} is the number of chains. */
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
