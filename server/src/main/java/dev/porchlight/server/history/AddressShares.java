// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A bounded map in the order of insertion. When it is full, the oldest value of the address with the most values is evicted, so
 * a flood from one address evicts only its own. Not thread-safe.
 */
final class AddressShares<V> {
    private record Entry<V>(V value, String address) {}

    private final int max;
    private final LinkedHashMap<String, Entry<V>> entries = new LinkedHashMap<>();

    AddressShares(int max) {
        this.max = max;
    }

    /** Adds a value as the newest, replacing one with the same key. Returns whether another was evicted. */
    boolean put(String key, V value, String address) {
        entries.remove(key);
        entries.put(key, new Entry<>(value, address));
        if (entries.size() <= max) {
            return false;
        }
        evict();
        return true;
    }

    private void evict() {
        Map<String, Integer> shares = new HashMap<>();
        entries.values().forEach(entry -> shares.merge(entry.address(), 1, Integer::sum));
        int largest = Collections.max(shares.values());
        for (var oldest = entries.values().iterator(); oldest.hasNext(); ) {
            if (shares.getOrDefault(oldest.next().address(), 0) == largest) {
                oldest.remove();
                return;
            }
        }
    }

    /** Changes the value of a key, if there is one, in its place. */
    void change(String key, UnaryOperator<V> change) {
        entries.computeIfPresent(key, (same, entry) -> new Entry<>(change.apply(entry.value()), entry.address()));
    }

    @Nullable
    V get(String key) {
        Entry<V> entry = entries.get(key);
        return entry == null ? null : entry.value();
    }

    /** The values, oldest first. */
    Collection<V> values() {
        return entries.values().stream().map(Entry::value).toList();
    }

    void removeIf(Predicate<V> filter) {
        entries.values().removeIf(entry -> filter.test(entry.value()));
    }
}
