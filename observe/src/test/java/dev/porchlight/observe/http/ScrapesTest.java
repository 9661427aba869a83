// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.metrics.Negotiation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ScrapesTest {
    private static final Set<Thread.State> WAITS =
            Set.of(Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TIMED_WAITING);
    private static final Negotiation TEXT = Negotiation.of(null, null);
    private static final Negotiation GZIP = Negotiation.of(null, "gzip");

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger rendered = new AtomicInteger();
    private final Scrapes scrapes = new Scrapes(this::render, Duration.ofSeconds(1), now::get);

    @Test
    void a_rendered_scrape_is_reused_for_a_second() throws IOException {
        assertThat(text(TEXT)).isEqualTo("1");
        now.addAndGet(Duration.ofMillis(999).toNanos());
        assertThat(text(TEXT)).isEqualTo("1");
        now.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(text(TEXT)).isEqualTo("2");
    }

    @Test
    void each_format_is_rendered_separately() throws IOException {
        assertThat(text(TEXT)).isEqualTo("1");
        assertThat(text(GZIP)).isEqualTo("2");
        assertThat(text(TEXT)).isEqualTo("1");
    }

    @Test
    void only_a_few_requests_wait_for_a_rendering() throws Exception {
        CountDownLatch rendering = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Scrapes slow = new Scrapes(
                (form, out) -> {
                    rendering.countDown();
                    await(finish);
                    render(form, out);
                },
                Duration.ofSeconds(1),
                now::get);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<byte[]>> waiting = new ArrayList<>();
            waiting.add(threads.submit(() -> slow.scrape(TEXT)));
            rendering.await();
            boolean full = false;
            while (!full) { // until the maximum number of requests waits
                FutureTask<byte[]> next = started(slow);
                waiting.add(next);
                full = next.isDone();
            }
            finish.countDown();
            int refused = 0;
            for (Future<byte[]> each : waiting) {
                refused += each.get() == null ? 1 : 0;
            }
            assertThat(refused).isEqualTo(waiting.size() - 4);
            assertThat(rendered).hasValue(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void the_previous_scrape_is_served_while_others_wait_for_the_next() throws Exception {
        CountDownLatch rendering = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Scrapes slow = new Scrapes(
                (form, out) -> {
                    if (rendered.get() > 0) {
                        rendering.countDown();
                        await(finish);
                    }
                    render(form, out);
                },
                Duration.ofSeconds(1),
                now::get);
        byte[] first = slow.scrape(TEXT);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<byte[]> next = threads.submit(() -> slow.scrape(TEXT));
            rendering.await();
            byte[] served = null;
            while (served == null) { // until the maximum number of requests waits
                FutureTask<byte[]> another = started(slow);
                served = another.isDone() ? another.get() : null;
            }
            assertThat(served).isSameAs(first);
            finish.countDown();
            assertThat(new String(next.get(), US_ASCII)).isEqualTo("2");
        } finally {
            threads.shutdownNow();
        }
    }

    /** Starts a request and waits until it is done or waits itself. */
    private static FutureTask<byte[]> started(Scrapes scrapes) {
        FutureTask<byte[]> request = new FutureTask<>(() -> scrapes.scrape(TEXT));
        Thread thread = new Thread(request);
        thread.start();
        Awaitility.await().until(() -> request.isDone() || WAITS.contains(thread.getState()));
        return request;
    }

    private String text(Negotiation form) throws IOException {
        return new String(Objects.requireNonNull(scrapes.scrape(form)), US_ASCII);
    }

    private void render(Negotiation form, OutputStream out) throws IOException {
        out.write(Integer.toString(rendered.incrementAndGet()).getBytes(US_ASCII));
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }
}
