// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.util.List;

/** The items that a worker exports: queued ones, or ones that are collected when they are due. */
public interface ItemSource<T> {
    /** Returns the position after all items that are to be exported. Any thread may call this. */
    long position();

    /** Returns the position that a flush waits for, or the worker when items are due. */
    default long due() {
        return position();
    }

    /** Moves items into {@code batch} until it holds {@code max}. Returns the position reached. For the worker only. */
    long drain(List<T> batch, int max);

    /** Refuses further items. */
    void close();

    int size();

    int capacity();
}
