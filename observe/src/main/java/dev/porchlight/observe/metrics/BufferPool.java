// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Keeps the buffers of two concurrent scrapes for the next ones. A third makes its own; a giant is not kept. */
final class BufferPool {
    private static final int FIRST_CAPACITY = 64 * 1024;
    private static final int LARGEST_KEPT = 16 * 1024 * 1024;

    private final AtomicReferenceArray<WireBuffer> idle = new AtomicReferenceArray<>(2);

    WireBuffer take() {
        for (int i = 0; i < idle.length(); i++) {
            WireBuffer buffer = idle.getAndSet(i, null);
            if (buffer != null) {
                return buffer.clear();
            }
        }
        return new WireBuffer(FIRST_CAPACITY);
    }

    void giveBack(WireBuffer buffer) {
        for (int i = 0; buffer.capacity() <= LARGEST_KEPT && i < idle.length(); i++) {
            if (idle.compareAndSet(i, null, buffer)) {
                return;
            }
        }
    }
}
