// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is loaded on first use; a failed load is retried. Several threads may load it at once, so the source must
 * return the same value each time. Thread-safe.
 */
final class Lazy<T> implements Supplier<T> {
    private final Supplier<T> source;
    private volatile @Nullable T value;

    Lazy(Supplier<T> source) {
        this.source = source;
    }

    @Override
    public T get() {
        T known = value;
        if (known == null) {
            known = source.get();
            value = known;
        }
        return known;
    }
}
