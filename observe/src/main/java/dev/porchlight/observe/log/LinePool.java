// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A small pool of reusable lines. Thread-safe.
 *
 * <p>Threads are spread over the slots by their id; a thread that finds its slot empty creates a new line. No thread
 * owns a line, so the pool stays small with any number of virtual threads.
 */
final class LinePool {
    private final FieldNames names;
    private final AtomicReferenceArray<Line> places;

    LinePool(FieldNames names) {
        this.names = names;
        int processors = Math.min(32, Runtime.getRuntime().availableProcessors());
        places = new AtomicReferenceArray<>(Integer.highestOneBit(processors * 4));
    }

    Line take() {
        Line line = places.getAndSet(place(), null);
        return line == null ? new Line(names) : line;
    }

    void give(Line line) {
        if (line.recycle()) {
            places.setRelease(place(), line);
        }
    }

    private int place() {
        long id = Thread.currentThread().getId() * 0x9e3779b97f4a7c15L;
        return (int) (id >>> 32) & places.length() - 1;
    }
}
