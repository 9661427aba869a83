// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.RawResponses;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The service under attack. Limits the rate and number of requests, and waits when the service responds
 * with a rate limit or overload. Not thread-safe.
 */
final class Target implements Transport {
    private static final int MAX_RETRIES = 4;
    private static final long LONGEST_PAUSE_SECONDS = 65;
    private static final int SOCKET_TIMEOUT_MS = 20_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final List<String> instances;
    private int sent;
    private final long gapNanos;
    private int left;
    private boolean exhausted;
    private @Nullable Boolean behindProxy;
    private long next = System.nanoTime();
    private long tookNanos;
    private long overAt = Long.MAX_VALUE / 2 + next;

    /**
     * The service at an address, or at those of its instances, which get requests in turn.
     *
     * @param perSecond the maximum rate of requests
     * @param most the maximum number of requests
     */
    Target(List<URI> addresses, int perSecond, int most) {
        instances = addresses.stream()
                .map(address -> address.toString().replaceAll("/+$", ""))
                .toList();
        gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        left = most;
    }

    /** Gives the next group its share of the remaining time, which is divided among this many groups. */
    void shareUntil(long endNanos, int groups) {
        long now = System.nanoTime();
        overAt = now + (endNanos - now) / groups;
    }

    /** Whether the group's time is up. */
    boolean isOver() {
        return System.nanoTime() - overAt >= 0;
    }

    /** Whether the maximum number of requests was reached. */
    boolean isExhausted() {
        return exhausted;
    }

    @Override
    public URI address() {
        return URI.create(instances.get(0));
    }

    @Override
    public TestResponse get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    @Override
    public TestResponse post(String path, @Nullable String json, String... headers) {
        return send("POST", path, json, headers);
    }

    TestResponse delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    /**
     * Sends a request. Retries after Retry-After if the service is overloaded or limits the rate. A body is JSON unless the
     * headers name another type.
     */
    @Override
    public TestResponse send(String method, String path, @Nullable String json, String... headers) {
        return send(request(method, path, json, headers));
    }

    /** Sends a request with any body and only these headers. */
    TestResponse sendBody(String path, byte[] body, String... headers) {
        return send(request("POST", path, BodyPublishers.ofByteArray(body), headers));
    }

    private TestResponse send(HttpRequest request) {
        for (int i = 0; ; i++) {
            TestResponse response = once(request);
            if (!response.later()) {
                return response;
            }
            if (i == MAX_RETRIES) {
                throw new AttackException(
                        "the service keeps responding with " + response.status() + " to " + request.method() + ' '
                                + request.uri() + ": raise its rate limit for the attack, or lower --rate");
            }
            pause(response);
        }
    }

    /** Sends a request. Retries once after Retry-After, and returns the last response. */
    TestResponse tryTwice(String method, String path, @Nullable String json, String... headers) {
        HttpRequest request = request(method, path, json, headers);
        TestResponse response = once(request);
        if (!response.later()) {
            return response;
        }
        pause(response);
        return once(request);
    }

    /** Sends a request once and without delay. The response is empty if the connection was closed. */
    CompletableFuture<TestResponse> begin(String method, String path, @Nullable String json, String... headers) {
        spend(1);
        return begin(request(method, path, json, headers));
    }

    /** Sends the same request concurrently, without retries. */
    List<TestResponse> atOnce(int times, String path, String json, String... headers) {
        spend(times);
        List<CompletableFuture<TestResponse>> responses = IntStream.range(0, times)
                .mapToObj(i -> begin(request("POST", path, json, headers)))
                .toList();
        return responses.stream().map(CompletableFuture::join).toList();
    }

    /** Sends raw bytes over a new connection, and reads until the service closes it, at most 20 seconds. */
    RawResponses raw(String octets) {
        await();
        try (Socket socket = open(address())) {
            return RawResponses.to(socket, octets);
        } catch (IOException e) {
            return new RawResponses("", true);
        }
    }

    /** Whether a proxy responds to what is not HTTP: the service gives every response a correlation id. */
    boolean isBehindProxy() {
        Boolean known = behindProxy;
        if (known == null) {
            String octets = "GET / HTTP/1.1\r\nHost: " + authority() + "\r\n: a\r\nConnection: close\r\n\r\n";
            known = raw(octets).last().header("X-Correlation-ID") == null;
            behindProxy = known;
        }
        return known;
    }

    /** Opens a connection without sending anything. It counts as a request, but is not delayed. */
    Socket connect() throws IOException {
        spend(1);
        return open(address());
    }

    /** The latency of the latest response, without the wait for the rate limit. */
    long tookNanos() {
        return tookNanos;
    }

    /** The host and port, as in the Host header. */
    String authority() {
        return address().getRawAuthority();
    }

    @Override
    public String toString() {
        return instances.get(0);
    }

    private CompletableFuture<TestResponse> begin(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString())
                .thenApply(Target::toResponse)
                .exceptionally(failure -> TestResponse.none());
    }

    private TestResponse once(HttpRequest request) {
        await();
        long started = System.nanoTime();
        try {
            TestResponse response = toResponse(client.send(request, BodyHandlers.ofString()));
            tookNanos = System.nanoTime() - started;
            return response;
        } catch (IOException e) {
            return TestResponse.none();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AttackException("interrupted");
        }
    }

    private HttpRequest request(String method, String path, @Nullable String json, String... headers) {
        return json == null
                ? request(method, path, BodyPublishers.noBody(), headers)
                : request(method, path, BodyPublishers.ofString(json), typed(headers));
    }

    private HttpRequest request(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(instances.get(sent++ % instances.size()) + path))
                .timeout(TIMEOUT)
                .method(method, body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.build();
    }

    private static String[] typed(String... headers) {
        return List.of(headers).contains("Content-Type")
                ? headers
                : Transport.and(headers, "Content-Type", "application/json");
    }

    private static TestResponse toResponse(HttpResponse<String> response) {
        return new TestResponse(response.statusCode(), response.headers(), response.body());
    }

    /** Reports once that the maximum was reached. The requests after that remove temporary users and clients. */
    private void spend(int requests) {
        left -= requests;
        if (left < 0 && !exhausted) {
            exhausted = true;
            throw new AttackException("the maximum number of requests was reached: see --most");
        }
    }

    /** Waits until the next request may be sent. */
    private void await() {
        spend(1);
        long now = System.nanoTime();
        if (next - now > 0) {
            sleep(next - now);
        }
        next = Math.max(next, now) + gapNanos;
    }

    private static void pause(TestResponse response) {
        String seconds = response.header("Retry-After");
        boolean given = seconds != null && seconds.matches("\\d{1,6}");
        long wait = given ? Math.min(LONGEST_PAUSE_SECONDS, Long.parseLong(String.valueOf(seconds))) : 5;
        sleep(TimeUnit.SECONDS.toNanos(wait));
    }

    static void sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AttackException("interrupted");
        }
    }

    /** Opens a connection with a read timeout of 20 seconds. */
    private static Socket open(URI base) throws IOException {
        boolean tls = "https".equals(base.getScheme());
        int port = base.getPort() >= 0 ? base.getPort() : tls ? 443 : 80;
        Socket plain = new Socket();
        plain.connect(new InetSocketAddress(base.getHost(), port), SOCKET_TIMEOUT_MS);
        plain.setSoTimeout(SOCKET_TIMEOUT_MS);
        if (!tls) {
            return plain;
        }
        var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        var secure = (SSLSocket) factory.createSocket(plain, base.getHost(), port, true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        return secure;
    }
}
