// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportResult;
import dev.porchlight.observe.otlp.ExportWorker.StopSignal;
import dev.porchlight.observe.otlp.Sender.Outcome;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Delivers one batch after another: each is accepted by the collector, or dropped and counted. While the collector is
 * unreachable, the batch is retried and the queue absorbs new items. Confined to the worker thread.
 *
 * @param accepted receives each batch that the collector accepted
 */
public record Delivery<T>(
        Sender<T> sender,
        Backoff backoff,
        ExportTime time,
        ExportReporter reporter,
        StopSignal stop,
        long limitNanos,
        Consumer<List<T>> accepted) {
    /** A batch that fails for this long is dropped, so that one bad batch cannot block all others. */
    public static final long GIVE_UP_NANOS = TimeUnit.MINUTES.toNanos(15);

    /** Zero means no time limit per request. */
    public Delivery {
        limitNanos = limitNanos == 0 ? Long.MAX_VALUE : limitNanos;
    }

    /** Delivers a batch and returns when it is accepted or dropped. Never throws. An interrupt drops the batch. */
    public void deliver(List<T> batch) {
        try {
            if (load(batch)) {
                sendUntilSettled(batch);
            } else if (batch.size() == 1) {
                reporter.dropped(DropReason.TOO_LARGE, 1);
            } else {
                int half = batch.size() / 2;
                deliver(batch.subList(0, half));
                deliver(batch.subList(half, batch.size()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reporter.dropped(DropReason.SHUTDOWN, batch.size());
        } catch (RuntimeException | Error e) {
            reporter.failed("the exporter failed with " + e, batch.size());
        }
    }

    /** A batch that cannot be encoded is split like one that is too large, so that a bad item costs no others. */
    private boolean load(List<T> batch) {
        try {
            return sender.load(batch);
        } catch (RuntimeException | Error e) {
            if (batch.size() == 1) {
                throw e;
            }
            return false;
        }
    }

    void close() {
        sender.close();
    }

    private void sendUntilSettled(List<T> batch) throws InterruptedException {
        int items = batch.size();
        long giveUpAt = time.nanoTime() + GIVE_UP_NANOS;
        for (int failures = 1; ; failures++) {
            Outcome outcome = attempt(items);
            if (outcome instanceof Outcome.Accepted response) {
                settle(items, response);
                accepted.accept(batch);
                return;
            }
            if (outcome instanceof Outcome.Refused refused) {
                reporter.failed(refused.reason(), items);
                return;
            }
            Outcome.Retry retry = (Outcome.Retry) outcome;
            reporter.failed(retry.reason());
            long delay = backoff.nanos(failures, retry.afterNanos());
            if (time.nanoTime() + delay - giveUpAt > 0) {
                reporter.failed("given up after 15 minutes: " + retry.reason(), items);
                return;
            }
            reporter.retrying(retry.reason(), failures, delay);
            if (!pause(delay)) {
                reporter.dropped(DropReason.SHUTDOWN, items);
                return;
            }
        }
    }

    private Outcome attempt(int items) throws InterruptedException {
        long began = time.nanoTime();
        Outcome outcome = sender.send(Math.min(limitNanos, Math.max(1, stop.remaining(began))));
        reporter.attempt(result(outcome), items, time.nanoTime() - began);
        return outcome;
    }

    private static ExportResult result(Outcome outcome) {
        if (outcome instanceof Outcome.Accepted response) {
            return response.rejected() == 0 ? ExportResult.SUCCESS : ExportResult.PARTIAL;
        }
        return outcome instanceof Outcome.Retry ? ExportResult.RETRY : ExportResult.FAILED;
    }

    private void settle(int items, Outcome.Accepted response) {
        long rejected = Math.max(0, Math.min(items, response.rejected()));
        reporter.exported(items - rejected);
        if (rejected > 0 || !response.message().isEmpty()) {
            reporter.rejected(rejected, response.message());
        }
    }

    /**
     * Waits before the next attempt. Returns false if no time is left for one. A stop request ends the wait early for
     * one more attempt; after that, only delays that end before the deadline are waited for.
     */
    private boolean pause(long nanos) throws InterruptedException {
        boolean stopping = stop.requested();
        if (nanos > stop.remaining(time.nanoTime())) {
            return false;
        }
        long until = time.nanoTime() + nanos;
        for (long left = nanos; left > 0 && stop.requested() == stopping; left = until - time.nanoTime()) {
            time.park(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return stop.remaining(time.nanoTime()) > 0;
    }
}
