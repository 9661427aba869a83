// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sealed entries in memory, for tests. Thread-safe. */
public final class MemorySealedEntries implements SealedEntries {
    private record Place(String kind, String hash) {}

    private final Map<Place, SealedEntry> byKey = new HashMap<>();
    /** The same entries by owner, oldest first. */
    private final Map<Place, LinkedHashMap<String, SealedEntry>> byOwner = new HashMap<>();

    @Override
    public synchronized void put(SealedEntry entry) {
        take(entry.kind(), entry.key());
        byKey.put(new Place(entry.kind(), entry.key()), entry);
        var owned = byOwner.computeIfAbsent(new Place(entry.kind(), entry.owner()), owner -> new LinkedHashMap<>());
        owned.put(entry.key(), entry);
        if (owned.size() > PER_OWNER) {
            take(entry.kind(), owned.keySet().iterator().next());
        }
    }

    @Override
    public synchronized @Nullable SealedEntry find(String kind, String key) {
        return byKey.get(new Place(kind, key));
    }

    @Override
    public synchronized @Nullable SealedEntry take(String kind, String key) {
        SealedEntry taken = byKey.remove(new Place(kind, key));
        if (taken != null) {
            byOwner.computeIfPresent(new Place(kind, taken.owner()), (owner, owned) -> {
                owned.remove(key);
                return owned.isEmpty() ? null : owned;
            });
        }
        return taken;
    }

    @Override
    public synchronized List<SealedEntry> ofOwner(String kind, String owner) {
        var owned = byOwner.get(new Place(kind, owner));
        var newestFirst = new ArrayList<>(owned == null ? List.of() : owned.values());
        Collections.reverse(newestFirst);
        return List.copyOf(newestFirst);
    }

    @Override
    public synchronized int removeOwner(String kind, String owner) {
        var owned = byOwner.remove(new Place(kind, owner));
        if (owned == null) {
            return 0;
        }
        owned.keySet().forEach(key -> byKey.remove(new Place(kind, key)));
        return owned.size();
    }

    @Override
    public synchronized int sweep(long now) {
        var expired =
                byKey.values().stream().filter(entry -> entry.expiresAt() < now).toList();
        expired.forEach(entry -> take(entry.kind(), entry.key()));
        return expired.size();
    }

    /** All entries, unordered. */
    public synchronized List<SealedEntry> snapshot() {
        return List.copyOf(byKey.values());
    }
}
