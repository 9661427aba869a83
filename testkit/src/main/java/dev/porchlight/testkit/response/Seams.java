// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The changes to a response, by seam. Changes before signing are covered by the signature. Immutable.
 */
public final class Seams {
    /** No changes. */
    public static final Seams UNCHANGED = new Seams(Map.of());

    private final Map<Seam<?>, UnaryOperator<?>> changes;

    private Seams(Map<Seam<?>, UnaryOperator<?>> changes) {
        this.changes = changes;
    }

    /** Returns a copy that replaces the value at {@code seam}. */
    public <T> Seams swap(Seam<T> seam, UnaryOperator<T> change) {
        Map<Seam<?>, UnaryOperator<?>> more = new HashMap<>(changes);
        more.put(seam, change);
        return new Seams(more);
    }

    /** Returns a copy that changes the value at {@code seam} in place. */
    public <T> Seams edit(Seam<T> seam, Consumer<T> change) {
        return swap(seam, value -> {
            change.accept(value);
            return value;
        });
    }

    @SuppressWarnings("unchecked") // swap only accepts operators on the seam's type
    public <T> T pass(Seam<T> seam, T value) {
        UnaryOperator<T> change = (UnaryOperator<T>) changes.get(seam);
        return change == null ? value : change.apply(value);
    }
}
