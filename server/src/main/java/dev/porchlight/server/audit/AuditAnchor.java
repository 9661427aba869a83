// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;
import org.jspecify.annotations.Nullable;

/**
 * The extent of the whole log at one moment, stored outside of its tables. A log that was wiped or replaced by an older copy does
 * not contain it.
 *
 * @param rows the number of rows written to all chains
 * @param head the newest row
 */
record AuditAnchor(long rows, Head head) {
    private static final String VERSION = "1";
    private static final int PARTS = 4;

    /** The position and hash of a row, as logs and {@code audit verify --expect} write it. */
    record Head(String chain, long seq, String hash) {
        static @Nullable Head parse(String text) {
            String[] parts = text.strip().split(":", -1);
            try {
                return parts.length == 3 ? new Head(parts[0], Long.parseLong(parts[1]), parts[2]) : null;
            } catch (NumberFormatException e) {
                return null;
            }
        }

        @Override
        public String toString() {
            return chain + ':' + seq + ':' + hash;
        }
    }

    /** Formats the anchor with a keyed hash over it. */
    String sealed(KeyedHash hashing) {
        return VERSION + ' ' + rows + ' ' + head + ' ' + seal(hashing);
    }

    /** Parses an anchor; returns null if it was changed. */
    static @Nullable AuditAnchor open(String text, KeyedHash hashing) {
        String[] parts = text.strip().split(" ", -1);
        if (parts.length != PARTS || !parts[0].equals(VERSION)) {
            return null;
        }
        Head head = Head.parse(parts[2]);
        try {
            AuditAnchor anchor = head == null ? null : new AuditAnchor(Long.parseLong(parts[1]), head);
            return anchor != null && anchor.seal(hashing).equals(parts[3]) ? anchor : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private String seal(KeyedHash hashing) {
        return AuditRow.digest(hashing, "anchor", Long.toString(rows), head.toString());
    }
}
