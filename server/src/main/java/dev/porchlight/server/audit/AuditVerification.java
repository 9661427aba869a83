// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;

/** Walks the audit table and tells what is wrong with it. For one thread. */
public final class AuditVerification {
    private final AuditStore store;
    private final Mac mac;
    private final List<String> faults = new ArrayList<>();
    /** Hashes that some chain begins with, until the row they belong to is met. */
    private final Set<String> unmet;

    private long rows;

    public AuditVerification(AuditStore store, byte[] key) {
        this.store = store;
        this.mac = AuditLog.mac(key);
        this.unmet = new HashSet<>(store.references());
    }

    /** How many rows there are, and every fault found, in words that name chain and row. */
    public record Result(long rows, List<String> faults) {}

    public Result verify() {
        for (String chain : store.chains()) {
            walk(chain);
        }
        unmet.forEach(hash -> faults.add("a row that a later chain refers to is missing (hash " + hash + ")"));
        return new Result(rows, List.copyOf(faults));
    }

    private void walk(String chain) {
        String previousHash = "";
        long expected = 0;
        for (var page = store.after(chain, -1); !page.isEmpty(); page = store.after(chain, expected - 1)) {
            for (AuditRow row : page) {
                if (row.seq() != expected) {
                    faults.add("chain " + chain + ": rows " + expected + " to " + (row.seq() - 1) + " are missing");
                } else if (!row.follows(previousHash, mac)) {
                    faults.add("chain " + chain + ": row " + row.seq() + " does not follow from the one before it");
                }
                unmet.remove(row.hash());
                previousHash = row.hash();
                expected = row.seq() + 1;
                rows++;
            }
        }
    }
}
