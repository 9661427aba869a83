// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.audit.AuditAnchor.Head;
import dev.porchlight.server.crypto.KeyedHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Detects a log that was wiped or replaced by an older copy, whose chains still verify, by anchors stored elsewhere. Not
 * thread-safe.
 */
public final class AuditGuard {
    private final AuditStore store;
    private final KeyedHash hashing;
    private final List<AnchorPlace> places;

    public AuditGuard(AuditStore store, byte[] key, List<AnchorPlace> places) {
        this.store = store;
        this.hashing = new KeyedHash(key);
        this.places = List.copyOf(places);
    }

    /** Whether an anchor is stored outside of the database. */
    public boolean hasAnchorOutside() {
        return places.size() > 1;
    }

    /** Compares the log with the anchors and returns a sentence per fault. Ignores a file that cannot be read. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (AnchorPlace place : places) {
            try {
                String anchor = place.read();
                if (anchor != null) {
                    check(place.name(), AuditAnchor.open(anchor, hashing), faults);
                }
            } catch (IOException e) {
                // the other anchor remains
            }
        }
        return faults;
    }

    private void check(String place, @Nullable AuditAnchor anchor, List<String> faults) {
        if (anchor == null) {
            faults.add("the anchor in " + place + " was changed, or written under another SESSION_SECRET");
            return;
        }
        long rows = store.rowsEverWritten();
        if (rows < anchor.rows()) {
            faults.add("the log was wiped or replaced by an older copy: it has " + rows
                    + (rows == 1 ? " row, but " : " rows, but ") + place + " recorded " + anchor.rows());
        } else if (!contains(anchor.head())) {
            faults.add("the log was replaced: it does not contain row "
                    + anchor.head().seq() + " of chain " + anchor.head().chain() + ", which " + place + " recorded");
        }
    }

    /** Returns a fault if the log does not contain this row, written as {@code CHAIN:SEQ:HASH}. */
    public Optional<String> missing(String head) {
        Head expected = Head.parse(head);
        if (expected == null) {
            return Optional.of("\"" + head + "\" is not a head: the format is CHAIN:SEQ:HASH");
        }
        return contains(expected) ? Optional.empty() : Optional.of("the log does not contain the head " + expected);
    }

    /** Whether the log has the row, or a checkpoint that replaced it. */
    private boolean contains(Head head) {
        String hash = store.hashOf(head.chain(), head.seq());
        return hash == null
                ? store.checkpoints(head.chain()).stream()
                        .anyMatch(each -> each.covers(head.seq()) && each.isGenuine(hashing))
                : hash.equals(head.hash());
    }

    /** The newest row in the format of {@link #missing}; empty if the log is empty. */
    public Optional<String> newest() {
        return Optional.ofNullable(store.newest()).map(Head::toString);
    }

    /** Writes anchors for the current log and returns its newest row; empty if the log is empty. */
    public Optional<String> anchor() {
        long rows = store.rowsEverWritten();
        Head newest = store.newest();
        if (newest == null) {
            return Optional.empty();
        }
        String sealed = new AuditAnchor(rows, newest).sealed(hashing);
        for (AnchorPlace place : places) {
            try {
                place.write(sealed);
            } catch (IOException | StorageException e) {
                // the previous anchor stays, which the log also contains
            }
        }
        return Optional.of(newest.toString());
    }
}
