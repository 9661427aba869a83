// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.wire.WireBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;

/** Sends items to an OTLP collector over HTTP/1.1. Redirects are not followed, because they would leak secret headers. */
public final class OtlpSender<T> implements Sender<T> {
    public static final int MAX_REQUEST = 64 * 1024 * 1024;
    public static final int MAX_RESPONSE = 4 * 1024 * 1024;
    private static final String USER_AGENT =
            "Porchlight/" + LibraryVersion.TEXT + " OTel-OTLP-Exporter-Java/" + LibraryVersion.TEXT;

    /** A larger buffer is kept only while requests fill at least a quarter of it. */
    private static final int KEPT_BUFFER = 1024 * 1024;

    private static final int MAX_KEPT_BUFFER = 16 * 1024 * 1024;

    private final OtlpEncoder<T> encoder;
    private final HttpRequest.Builder request;
    private final ExportTime time;
    private final boolean gzip;
    private final int maxRequest;
    private final ExecutorService executor = Executors.newCachedThreadPool(this::daemon);
    private final HttpClient client;
    private WireBuffer plain = new WireBuffer(16 * 1024);
    private WireBuffer body = plain;

    public OtlpSender(OtlpSettings.Endpoint settings, OtlpEncoder<T> encoder, ExportTime time, int maxRequest) {
        this.encoder = encoder;
        this.time = time;
        this.gzip = settings.gzip();
        this.maxRequest = maxRequest;
        request = HttpRequest.newBuilder(settings.uri()).setHeader("User-Agent", USER_AGENT);
        settings.headers().forEach(request::setHeader);
        request.setHeader("Content-Type", encoder.contentType());
        if (gzip) {
            request.setHeader("Content-Encoding", "gzip");
        }
        // Over cleartext, the default would request an upgrade to HTTP/2 on each new connection.
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(executor)
                .build();
    }

    @Override
    public boolean load(List<T> batch) {
        int capacity = plain.capacity();
        if (capacity > MAX_KEPT_BUFFER || capacity > KEPT_BUFFER && plain.length() < capacity / 4) {
            plain = new WireBuffer(16 * 1024);
        }
        plain.clear();
        body = plain;
        boolean fits = encoder.encode(batch, plain, maxRequest);
        if (fits && gzip) {
            body = compress(plain);
        }
        return fits;
    }

    @Override
    public Outcome send(long limitNanos) throws InterruptedException {
        HttpRequest post = request.copy()
                .POST(HttpRequest.BodyPublishers.fromPublisher(
                        subscriber -> subscriber.onSubscribe(new WholeBody(body, subscriber)), body.length()))
                .build();
        CompletableFuture<HttpResponse<byte[]>> response =
                client.sendAsync(post, info -> new LimitedBody(MAX_RESPONSE));
        try {
            // A separate wait, because the client's own timeout only covers the response headers.
            return outcome(response.get(limitNanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return new Outcome.Retry("no response within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms", -1);
        } catch (ExecutionException e) {
            return outcome(e.getCause() == null ? e : e.getCause());
        } finally {
            response.cancel(true);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }

    public int bufferCapacity() {
        return plain.capacity();
    }

    private Outcome outcome(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        OtlpResponse content = OtlpResponse.parse(
                response.body(), response.headers().firstValue("Content-Type").orElse(encoder.contentType()));
        if (status >= 200 && status < 300) {
            return content.rejected() == 0 && content.message().isEmpty()
                    ? Outcome.ACCEPTED
                    : new Outcome.Accepted(content.rejected(), content.message());
        }
        String reason = "HTTP " + status + (content.message().isEmpty() ? "" : ": " + content.message());
        return switch (status) {
            case 429, 502, 503, 504 ->
                new Outcome.Retry(
                        reason,
                        response.headers()
                                .firstValue("Retry-After")
                                .map(header -> Backoff.requested(header, time.epochNanos()))
                                .orElse(-1L));
            default -> new Outcome.Refused(reason);
        };
    }

    private static Outcome outcome(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof LimitedBody.TooLarge) {
                return new Outcome.Refused(String.valueOf(cause.getMessage()));
            }
        }
        // Not connected, or disconnected before a response: the collector may be starting or temporarily down.
        return failure instanceof IOException
                ? new Outcome.Retry(failure.toString(), -1)
                : new Outcome.Refused(failure.toString());
    }

    private static WireBuffer compress(WireBuffer plain) {
        WireBuffer compressed = new WireBuffer(plain.length() / 4);
        try (GZIPOutputStream gzip = new GZIPOutputStream(new BufferOutput(compressed), 8192)) {
            plain.writeTo(gzip);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed;
    }

    private Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "porchlight-" + encoder.signal().word() + "-http");
        thread.setDaemon(true);
        return thread;
    }

    /** Passes on the body at once. The JDK's publisher copies it, in pieces of 16 KB that are sent one by one by several threads. */
    private static final class WholeBody implements Flow.Subscription {
        private final WireBuffer body;
        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final AtomicBoolean done = new AtomicBoolean();

        WholeBody(WireBuffer body, Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.body = body;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long count) {
            if (done.compareAndSet(false, true)) {
                subscriber.onNext(ByteBuffer.wrap(body.array(), 0, body.length()));
                subscriber.onComplete();
            }
        }

        @Override
        public void cancel() {
            done.set(true);
        }
    }

    private static final class BufferOutput extends OutputStream {
        private final WireBuffer out;

        BufferOutput(WireBuffer out) {
            this.out = out;
        }

        @Override
        public void write(int oneByte) {
            out.put(oneByte);
        }

        @Override
        public void write(byte[] source, int from, int count) {
            out.put(source, from, count);
        }
    }
}
