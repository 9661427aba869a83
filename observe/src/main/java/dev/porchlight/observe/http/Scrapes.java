// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import dev.porchlight.observe.metrics.Negotiation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Rendered scrapes. The result is reused for a while, and only a few requests wait for a rendering: anyone can request one,
 * and it is the most expensive response. Thread-safe.
 */
final class Scrapes {
    private static final int WAITING = 4;

    /** A scrape that hangs must not look like a healthy one for long. */
    private static final long STALE_NANOS = Duration.ofSeconds(15).toNanos();

    /** Writes an exposition. */
    @FunctionalInterface
    interface Renderer {
        void render(Negotiation form, OutputStream out) throws IOException;
    }

    private static final class Rendered {
        private final byte[] body;
        private final long nanos;

        Rendered(byte[] body, long nanos) {
            this.body = body;
            this.nanos = nanos;
        }
    }

    private final Renderer renderer;
    private final long reusedNanos;
    private final LongSupplier nanoTime;
    private final Semaphore waiting = new Semaphore(WAITING);
    private final Map<String, Rendered> latest = new ConcurrentHashMap<>();

    Scrapes(Renderer renderer, Duration reused, LongSupplier nanoTime) {
        this.renderer = renderer;
        this.reusedNanos = reused.toNanos();
        this.nanoTime = nanoTime;
    }

    /** The exposition, rendered now or up to 15 seconds ago; null if too many requests wait and no rendering is recent. */
    byte @Nullable [] scrape(Negotiation form) throws IOException {
        String key = form.contentType() + form.gzip();
        byte[] fresh = notOlder(key, reusedNanos);
        if (fresh != null) {
            return fresh;
        }
        if (!waiting.tryAcquire()) {
            return notOlder(key, STALE_NANOS);
        }
        try {
            return render(key, form);
        } finally {
            waiting.release();
        }
    }

    private synchronized byte[] render(String key, Negotiation form) throws IOException {
        byte[] fresh = notOlder(key, reusedNanos); // rendered while this thread waited
        if (fresh == null) {
            ByteArrayOutputStream body = new ByteArrayOutputStream(16 * 1_024);
            renderer.render(form, body);
            fresh = body.toByteArray();
            latest.put(key, new Rendered(fresh, nanoTime.getAsLong()));
        }
        return fresh;
    }

    private byte @Nullable [] notOlder(String key, long nanos) {
        Rendered rendered = latest.get(key);
        return rendered != null && nanoTime.getAsLong() - rendered.nanos < nanos ? rendered.body : null;
    }
}
