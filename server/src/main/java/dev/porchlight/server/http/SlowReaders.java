// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.util.Callback;

/**
 * The clients that do not take their answers at once. A thread waits for each of a few, so that it can be told what became
 * of the answer; those of many others are left to themselves until they are taken or their time is over, and count as taken.
 * Were every one waited for, clients who take nothing would hold every thread. Thread-safe.
 */
final class SlowReaders {
    static final int LEFT = 1_024;

    private final Semaphore waitedFor;
    private final Semaphore left;

    SlowReaders(int waitedFor, int left) {
        this.waitedFor = new Semaphore(waitedFor);
        this.left = new Semaphore(left);
    }

    /**
     * Waits for the client if only few are waited for. What is returned is the end of the answer, which is still to come
     * if the client was left.
     *
     * @param leavable whether nothing else is to be written after it
     * @throws TimeoutException if the time is over, or too many were left
     * @throws ExecutionException if the client is gone
     */
    CompletableFuture<Void> await(Callback.Completable written, long nanos, boolean leavable)
            throws TimeoutException, ExecutionException, InterruptedException {
        if (written.isDone()) {
            written.get();
            return written;
        }
        boolean waits = waitedFor.tryAcquire();
        if (!waits && leavable) {
            return leave(written, nanos);
        }
        try {
            written.get(nanos, TimeUnit.NANOSECONDS);
            return written;
        } finally {
            if (waits) {
                waitedFor.release();
            }
        }
    }

    private CompletableFuture<Void> leave(Callback.Completable written, long nanos) throws TimeoutException {
        if (!left.tryAcquire()) {
            throw new TimeoutException("too many clients do not take their answers");
        }
        return written.orTimeout(nanos, TimeUnit.NANOSECONDS).whenComplete((taken, failure) -> left.release());
    }
}
