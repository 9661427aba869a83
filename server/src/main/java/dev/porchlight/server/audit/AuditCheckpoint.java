// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;

/**
 * Replaces rows that retention removed. The chain continues from the last of them.
 *
 * @param from the position of the first removed row
 * @param to the position of the last removed row
 * @param hash the hash of the last removed row
 * @param seal the keyed hash over the other components
 */
record AuditCheckpoint(String chain, long from, long to, String hash, String seal) {

    static AuditCheckpoint of(String chain, long from, long to, String hash, KeyedHash hashing) {
        return new AuditCheckpoint(chain, from, to, hash, seal(chain, from, to, hash, hashing));
    }

    boolean isGenuine(KeyedHash hashing) {
        return seal.equals(seal(chain, from, to, hash, hashing));
    }

    boolean covers(long seq) {
        return from <= seq && seq <= to;
    }

    private static String seal(String chain, long from, long to, String hash, KeyedHash hashing) {
        return AuditRow.digest(hashing, "checkpoint", chain, Long.toString(from), Long.toString(to), hash);
    }
}
