// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.JsonTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the rows after a position: the last row of each chain. A chain without a position is new.
 * Not thread-safe.
 */
public final class AuditTail {
    private static final int PAGE = 1_000;

    private final AuditStore store;
    private final Map<String, Object> position;

    private AuditTail(AuditStore store, Map<String, Object> position) {
        this.store = store;
        this.position = new TreeMap<>(position);
    }

    /** All rows of the log. */
    public static AuditTail fromStart(AuditStore store) {
        return new AuditTail(store, Map.of());
    }

    /** The rows after the present end of the log. */
    public static AuditTail fromEnd(AuditStore store) {
        AuditTail tail = fromStart(store);
        store.heads().forEach(head -> tail.position.put(head.chain(), head.seq()));
        return tail;
    }

    /** The rows after a position that {@link #position} returned. */
    public static AuditTail from(AuditStore store, String position) {
        return new AuditTail(store, JsonTree.parse(position));
    }

    /** Rows that were committed since, by time; empty if there are none. */
    public List<AuditEntry> next() {
        List<AuditEntry> found = new ArrayList<>();
        for (AuditHead head : store.heads()) {
            long after = position.get(head.chain()) instanceof Long seq ? seq : -1;
            if (!head.chain().equals(AuditHead.ALL) && head.seq() > after) {
                List<AuditEntry> rows = store.tail(head.chain(), after, PAGE);
                found.addAll(rows);
                // Without rows, they were removed because of their age.
                position.put(
                        head.chain(),
                        rows.isEmpty()
                                ? head.seq()
                                : rows.get(rows.size() - 1).cursor().seq());
            }
        }
        found.sort(Comparator.comparingLong(AuditEntry::at));
        return found;
    }

    /** The position after the rows that were read, as JSON. */
    public String position() {
        return JsonTree.write(position);
    }
}
