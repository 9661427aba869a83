// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What is changed at which seam of a response; immutable. Whatever is changed before signing is signed as it then
 * stands.
 */
public final class Seams {
    /** Nothing is changed anywhere. */
    public static final Seams HONEST = new Seams(Map.of());

    private final Map<Seam<?>, UnaryOperator<?>> changes;

    private Seams(Map<Seam<?>, UnaryOperator<?>> changes) {
        this.changes = changes;
    }

    /** With the value at {@code seam} replaced. */
    public <T> Seams swap(Seam<T> seam, UnaryOperator<T> change) {
        Map<Seam<?>, UnaryOperator<?>> more = new HashMap<>(changes);
        more.put(seam, change);
        return new Seams(more);
    }

    /** With the value at {@code seam} changed in place. */
    public <T> Seams edit(Seam<T> seam, Consumer<T> change) {
        return swap(seam, value -> {
            change.accept(value);
            return value;
        });
    }

    @SuppressWarnings("unchecked") // swap is the only way in, and takes an operator on the seam's own type
    public <T> T pass(Seam<T> seam, T value) {
        UnaryOperator<T> change = (UnaryOperator<T>) changes.get(seam);
        return change == null ? value : change.apply(value);
    }
}
