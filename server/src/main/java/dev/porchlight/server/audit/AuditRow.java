// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;

/**
 * A row of the audit table: an event, its position in a chain, and the keyed hash over it and the previous row.
 *
 * @param chain one run of one instance; instances do not wait for each other
 * @param seq the position in the chain, from 0 without gaps
 * @param at in milliseconds since 1970
 * @param event the event, with the pseudonym of its user
 * @param follows in the first row of a chain, the hash of the newest row of the other chains; otherwise empty
 */
record AuditRow(String chain, long seq, long at, AuditEvent event, String follows, String hash) {

    static AuditRow after(
            String previousHash, String chain, long seq, long at, AuditEvent event, String follows, KeyedHash hashing) {
        var row = new AuditRow(chain, seq, at, event, follows, "");
        return new AuditRow(chain, seq, at, event, follows, row.hash(previousHash, hashing));
    }

    boolean follows(String previousHash, KeyedHash hashing) {
        return hash.equals(hash(previousHash, hashing));
    }

    private String hash(String previousHash, KeyedHash hashing) {
        return digest(
                hashing,
                previousHash,
                chain,
                Long.toString(seq),
                Long.toString(at),
                event.action(),
                event.userId(),
                event.outcome(),
                event.reason(),
                event.operator(),
                event.clientId(),
                event.groupName(),
                event.changed(),
                Long.toString(event.further()),
                event.correlationId(),
                follows);
    }

    /** Hashes the fields, each with a length prefix, so that no two rows have the same input. */
    static String digest(KeyedHash hashing, String... fields) {
        var text = new StringBuilder();
        for (String field : fields) {
            text.append(field.length()).append(':').append(field);
        }
        return hashing.base64Of(text.toString());
    }
}
