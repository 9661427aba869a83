// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.trace.ExportWorker.StopSignal;
import dev.porchlight.observe.trace.Sender.Outcome;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Delivers one batch after another: each is accepted by the collector, or dropped and counted. While the collector is
 * unreachable, the batch is retried and the queue absorbs new spans. Confined to the worker thread.
 */
record Delivery(
        Sender sender, Backoff backoff, TraceTime time, ExportReporter reporter, StopSignal stop, long limitNanos) {
    /** A batch that fails for this long is dropped, so that one bad batch cannot block all others. */
    static final long GIVE_UP_NANOS = TimeUnit.MINUTES.toNanos(15);

    /** Zero means no time limit per request. */
    Delivery {
        limitNanos = limitNanos == 0 ? Long.MAX_VALUE : limitNanos;
    }

    /** Delivers a batch and returns when it is accepted or dropped. Never throws. An interrupt drops the batch. */
    void deliver(List<Span> batch) {
        try {
            if (load(batch)) {
                sendUntilSettled(batch.size());
            } else if (batch.size() == 1) {
                reporter.dropped(SpanDropReason.TOO_LARGE, 1);
            } else {
                int half = batch.size() / 2;
                deliver(batch.subList(0, half));
                deliver(batch.subList(half, batch.size()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reporter.dropped(SpanDropReason.SHUTDOWN, batch.size());
        } catch (RuntimeException | Error e) {
            reporter.failed("the exporter failed with " + e, batch.size());
        }
    }

    /** A batch that cannot be encoded is split like one that is too large, so that a bad span costs no others. */
    private boolean load(List<Span> batch) {
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

    private void sendUntilSettled(int spans) throws InterruptedException {
        long giveUpAt = time.nanoTime() + GIVE_UP_NANOS;
        for (int failures = 1; ; failures++) {
            Outcome outcome = attempt();
            if (outcome instanceof Outcome.Accepted accepted) {
                settle(spans, accepted);
                return;
            }
            if (outcome instanceof Outcome.Refused refused) {
                reporter.failed(refused.reason(), spans);
                return;
            }
            Outcome.Retry retry = (Outcome.Retry) outcome;
            reporter.failed(retry.reason());
            long delay = backoff.nanos(failures, retry.afterNanos());
            if (time.nanoTime() + delay - giveUpAt > 0) {
                reporter.failed("given up after 15 minutes: " + retry.reason(), spans);
                return;
            }
            if (!pause(delay)) {
                reporter.dropped(SpanDropReason.SHUTDOWN, spans);
                return;
            }
        }
    }

    private Outcome attempt() throws InterruptedException {
        long began = time.nanoTime();
        Outcome outcome = sender.send(Math.min(limitNanos, Math.max(1, stop.remaining(began))));
        reporter.attempt(result(outcome), time.nanoTime() - began);
        return outcome;
    }

    private static ExportResult result(Outcome outcome) {
        if (outcome instanceof Outcome.Accepted accepted) {
            return accepted.rejected() == 0 ? ExportResult.SUCCESS : ExportResult.PARTIAL;
        }
        return outcome instanceof Outcome.Retry ? ExportResult.RETRY : ExportResult.FAILED;
    }

    private void settle(int spans, Outcome.Accepted accepted) {
        long rejected = Math.max(0, Math.min(spans, accepted.rejected()));
        reporter.exported(spans - rejected);
        if (rejected > 0 || !accepted.message().isEmpty()) {
            reporter.rejected(rejected, accepted.message());
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
