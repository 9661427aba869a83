// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the chains of the audit table. Not thread-safe.
 *
 * <p>Heads are read before rows, so rows that a running service appends concurrently are not faults: a chain may extend beyond
 * its head, but must reach it.
 */
public final class AuditVerification {
    private final AuditStore store;
    private final KeyedHash hashing;
    private final List<String> faults = new ArrayList<>();
    /** The heads of chains that are not verified yet. */
    private final Map<String, AuditHead> heads = new HashMap<>();
    /** Hashes that chains refer to, until the row with that hash is found. */
    private final Set<String> unresolved;

    private long rows;

    public AuditVerification(AuditStore store, byte[] key) {
        this.store = store;
        this.hashing = new KeyedHash(key);
        store.heads().forEach(head -> heads.put(head.chain(), head));
        this.unresolved = new HashSet<>(store.references());
    }

    /** The number of rows, and a sentence per fault that names chain and row. */
    public record Result(long rows, List<String> faults) {}

    public Result verify() {
        checkCount();
        for (String chain : store.chains()) {
            AuditHead head = heads.remove(chain);
            walk(chain, head != null ? head : store.head(chain));
        }
        heads.forEach(this::walk); // chains without rows: retention may have removed all of them
        unresolved.forEach(hash -> faults.add("a row that a later chain refers to is missing (hash " + hash + ")"));
        return new Result(rows, List.copyOf(faults));
    }

    private void checkCount() {
        AuditHead count = heads.remove(AuditHead.ALL);
        if (count != null && !count.isGenuine(hashing)) {
            faults.add("the count of chains was changed");
        } else if (heads.size() != (count == null ? 0 : count.seq())) {
            faults.add("heads of chains were removed or added: there are " + heads.size() + ", and "
                    + (count == null ? "no count of them" : count.seq() + " chains began"));
        }
    }

    private void walk(String chain, @Nullable AuditHead head) {
        if (head == null || !head.isGenuine(hashing)) {
            faults.add("chain " + chain + ": its head was " + (head == null ? "removed" : "changed"));
        }
        Place place = new Place(0, "");
        for (var page = store.after(chain, -1); !page.isEmpty(); page = store.after(chain, place.next() - 1)) {
            for (AuditRow row : page) {
                if (row.seq() != place.next()) {
                    place = skipRemoved(chain, place);
                }
                if (row.seq() != place.next()) {
                    faults.add("chain " + chain + ": rows " + place.next() + " to " + (row.seq() - 1) + " are missing");
                } else if (!row.follows(place.previousHash(), hashing)) {
                    faults.add("chain " + chain + ": row " + row.seq() + " does not follow from the one before it");
                }
                unresolved.remove(row.hash());
                place = new Place(row.seq() + 1, row.hash());
                rows++;
            }
        }
        place = skipRemoved(chain, place);
        if (place.next() == 0) {
            faults.add("chain " + chain + ": all of its rows are missing");
        } else if (head != null && head.seq() >= place.next()) {
            faults.add("chain " + chain + ": rows " + place.next() + " to " + head.seq() + " are missing at its end");
        }
    }

    /** Skips rows that checkpoints replace. Reads checkpoints late, because retention may run concurrently. */
    private Place skipRemoved(String chain, Place place) {
        Place reached = place;
        for (AuditCheckpoint checkpoint : store.checkpoints(chain)) {
            if (checkpoint.covers(reached.next())) {
                if (!checkpoint.isGenuine(hashing)) {
                    faults.add("chain " + chain + ": the checkpoint at " + checkpoint.from() + " was changed");
                    return reached;
                }
                reached = new Place(checkpoint.to() + 1, checkpoint.hash());
            }
            if (checkpoint.isGenuine(hashing)) {
                unresolved.remove(checkpoint.hash());
            }
        }
        return reached;
    }

    private record Place(long next, String previousHash) {}
}
