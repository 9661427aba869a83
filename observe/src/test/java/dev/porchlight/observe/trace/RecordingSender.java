// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.otlp.Sender;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/** A sender that records batches and returns scripted outcomes, then success. */
class RecordingSender implements Sender<Span> {
    final List<List<Span>> loaded = Collections.synchronizedList(new ArrayList<>());
    final List<List<Span>> sent = Collections.synchronizedList(new ArrayList<>());
    final List<Long> limits = Collections.synchronizedList(new ArrayList<>());
    final Queue<Outcome> script = new ArrayDeque<>();
    final AtomicInteger closed = new AtomicInteger();
    int maxSpans = Integer.MAX_VALUE;

    @Override
    public boolean load(List<Span> batch) {
        if (batch.size() > maxSpans) {
            return false;
        }
        loaded.add(List.copyOf(batch));
        return true;
    }

    @Override
    public Outcome send(long limitNanos) throws InterruptedException {
        limits.add(limitNanos);
        sent.add(loaded.get(loaded.size() - 1));
        Outcome next = script.poll();
        return next == null ? Outcome.ACCEPTED : next;
    }

    @Override
    public void close() {
        closed.incrementAndGet();
    }

    List<Span> spans() {
        return sent.stream().flatMap(List::stream).toList();
    }
}
