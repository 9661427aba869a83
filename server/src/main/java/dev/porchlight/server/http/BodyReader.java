// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request's body, which is let arrive before anybody works on the request: a client that sends a byte now and then would
 * otherwise hold a thread, and a place among those worked on, for as long as it likes. It is refused as soon as it is known
 * to be too large, and given up when it comes slower than the least rate.
 */
final class BodyReader {
    /** What is read for nothing after an answer that did not wait for the body. */
    private static final int DISCARDED_BYTES = 256 * 1_024;

    private static final long DISCARDING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Request request;
    private final Supplier<@Nullable String> address;
    private final Limits limits;
    private final Arrivals arrivals;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean whole;
    private boolean skipped;
    /** Nothing more can be asked for: it is all there, or broken, or was asked for in vain. */
    private boolean over;

    private @Nullable Problem problem;
    private @Nullable Throwable gone;

    /**
     * A reader of one request's body.
     *
     * @param address looks up the client that it counts for, or null for a trusted proxy
     */
    BodyReader(Request request, Supplier<@Nullable String> address, Limits limits, Arrivals arrivals) {
        this.request = request;
        this.address = address;
        this.limits = limits;
        this.arrivals = arrivals;
    }

    /** Runs one of the two: the first when the body is there, or will not come; the second if its memory was needed for others. */
    void arrive(Runnable arrived, Runnable refused) {
        if (request.getLength() > limits.bodyBytes()) {
            problem = Problem.TOO_LARGE;
            arrived.run();
        } else {
            Collecting collecting = new Collecting(arrived, refused);
            collecting.intake(arrivals.begin(request, collecting));
        }
    }

    /** Does not wait for the body, because it is not used, or the request is refused whatever it is. */
    void skip() {
        skipped = true;
        problem = Problem.NOT_JSON;
    }

    /** Whether it was waited for, and did not arrive completely. */
    boolean unfinished() {
        return !whole && !skipped;
    }

    /** The body that has arrived. */
    byte[] read() throws ProblemException, ClientGoneException {
        if (gone != null) {
            throw new ClientGoneException(gone);
        }
        if (problem != null) {
            throw new ProblemException(problem);
        }
        return body.toByteArray();
    }

    /**
     * Takes what is left of the body for a moment, after the answer is on its way. A client that is still sending when we
     * close the connection would get a reset, and with it lose the answer that says why.
     */
    void discardRest(Runnable then) {
        if (over
                || request.getConnectionMetaData().getHttpVersion()
                        == HttpVersion.HTTP_2 // has resets that say no error
                || request.getHeaders().contains(HttpHeader.EXPECT)) { // waits for us, and would be told to go on
            then.run();
        } else {
            arrivals.begin(request, new Discarding(then));
        }
    }

    private final class Collecting extends Arrivals.Holder implements Intake.Taker {
        private final Runnable arrived;
        private final Runnable refused;
        private final long startNanos = System.nanoTime();
        private volatile @Nullable Intake intake;
        private volatile boolean evicted;
        private long headerBytes;
        private @Nullable String client;
        private boolean held;

        Collecting(Runnable arrived, Runnable refused) {
            this.arrived = arrived;
            this.refused = refused;
        }

        void intake(Intake begun) {
            intake = begun;
            if (evicted) { // before it was known how to end the wait
                begun.giveUp();
            }
        }

        @Override
        @Nullable
        String address() {
            return client;
        }

        @Override
        public boolean givenUp() {
            return evicted;
        }

        @Override
        void evict() {
            evicted = true;
            Intake begun = intake;
            if (begun != null) {
                begun.giveUp();
            }
        }

        @Override
        public boolean take(Content.Chunk chunk) {
            if (Content.Chunk.isFailure(chunk)) {
                over = true;
                fail(chunk.getFailure());
                return false;
            }
            over = chunk.isLast();
            if (body.size() + chunk.remaining() > limits.bodyBytes()) {
                problem = Problem.TOO_LARGE;
                return false;
            }
            byte[] piece = new byte[chunk.remaining()];
            chunk.getByteBuffer().get(piece);
            body.writeBytes(piece);
            whole = chunk.isLast();
            return !whole;
        }

        @Override
        public long patienceNanos() {
            if (!held) {
                held = true;
                client = address.get();
                headerBytes = headerBytes();
            }
            // The buffer doubles as it grows.
            arrivals.hold(this, Arrivals.WEIGHT + headerBytes + 2L * body.size());
            return evicted ? 0 : limits.transferNanos(body.size()) - (System.nanoTime() - startNanos);
        }

        @Override
        public void end(boolean inTime) {
            if (held) {
                arrivals.release(this);
            }
            if (evicted && !inTime) {
                over = true;
                refused.run();
                return;
            }
            if (!inTime) {
                over = true;
                problem = Problem.TOO_SLOW;
            }
            arrived.run();
        }

        /** HTTP/2 keeps the headers of every stream. */
        private long headerBytes() {
            long bytes = 0;
            for (HttpField field : request.getHeaders()) {
                String value = field.getValue();
                bytes += field.getName().length() + (value == null ? 0 : value.length());
            }
            return bytes;
        }

        private void fail(Throwable failure) {
            if (failure instanceof TimeoutException) {
                problem = Problem.TOO_SLOW;
            } else if (failure instanceof HttpException) {
                problem = Problem.malformed("The request body is cut short or not well-formed");
            } else {
                gone = failure;
            }
        }
    }

    private static final class Discarding implements Intake.Taker {
        private final Runnable then;
        private final long endNanos = System.nanoTime() + DISCARDING_NANOS;
        private int discarded;

        Discarding(Runnable then) {
            this.then = then;
        }

        @Override
        public boolean take(Content.Chunk chunk) {
            discarded += chunk.remaining();
            return !chunk.isLast() && !Content.Chunk.isFailure(chunk) && discarded <= DISCARDED_BYTES;
        }

        @Override
        public long patienceNanos() {
            return endNanos - System.nanoTime();
        }

        @Override
        public void end(boolean inTime) {
            then.run();
        }
    }
}
