// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.io.IOException;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The service under attack. Asks it no faster and no more often than it was told to, and comes back later when the service
 * says that this was too often. For one thread.
 */
final class Target {
    private static final int PATIENCE = 4;
    private static final long LONGEST_PAUSE_SECONDS = 65;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final String base;
    private final long gapNanos;
    private int left;
    private long next = System.nanoTime();
    private long tookNanos;
    private long overAt = Long.MAX_VALUE / 2 + next;

    /**
     * The service at an address.
     *
     * @param perSecond requests a second, at most
     * @param most requests altogether
     */
    Target(URI address, int perSecond, int most) {
        base = address.toString().replaceAll("/+$", "");
        gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        left = most;
    }

    /** Lets the group that follows have its part of the time until the end, which is for so many groups. */
    void shareUntil(long endNanos, int groups) {
        long now = System.nanoTime();
        overAt = now + (endNanos - now) / groups;
    }

    /** Whether the group should end. */
    boolean isOver() {
        return System.nanoTime() - overAt >= 0;
    }

    Response get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    Response post(String path, @Nullable String json, String... headers) {
        return send("POST", path, json, headers);
    }

    Response delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    /** Sends it; if the service is overloaded or limits the rate, again after the time that it names. */
    Response send(String method, String path, @Nullable String json, String... headers) {
        return send(request(method, path, json, headers));
    }

    /** The same with any body and only these headers. */
    Response sendBody(String path, byte[] body, String... headers) {
        return send(request("POST", path, BodyPublishers.ofByteArray(body), headers));
    }

    private Response send(HttpRequest request) {
        for (int i = 0; ; i++) {
            Response reply = once(request);
            if (!reply.later()) {
                return reply;
            }
            if (i == PATIENCE) {
                throw new AttackException(
                        "the service keeps responding with " + reply.status() + " to " + request.method() + ' '
                                + request.uri() + ": raise its rate limit for the attack, or lower --rate");
            }
            pause(reply);
        }
    }

    /** Sends it; if the service asks to try again later, once more after the time that it names. Returns whatever came back. */
    Response tryTwice(String method, String path, @Nullable String json, String... headers) {
        HttpRequest request = request(method, path, json, headers);
        Response reply = once(request);
        if (!reply.later()) {
            return reply;
        }
        pause(reply);
        return once(request);
    }

    /** Sends it at once and only once. The response is empty if the connection was closed. */
    CompletableFuture<Response> begin(String method, String path, @Nullable String json, String... headers) {
        spend(1);
        return begin(request(method, path, json, headers));
    }

    /** Sends the same so many times at once, and never again. */
    List<Response> atOnce(int times, String path, String json, String... headers) {
        spend(times);
        HttpRequest request = request("POST", path, json, headers);
        List<CompletableFuture<Response>> replies =
                IntStream.range(0, times).mapToObj(i -> begin(request)).toList();
        return replies.stream().map(CompletableFuture::join).toList();
    }

    /** Octets as they are, over a connection of their own. */
    Response raw(String octets) {
        await();
        return RawConnection.exchange(URI.create(base), octets);
    }

    /** The same, and what comes back as it is. */
    String rawText(String octets) {
        await();
        return RawConnection.text(URI.create(base), octets);
    }

    /** A connection on which nothing was sent yet. It counts as a request, but is not slowed down. */
    Socket connect() throws IOException {
        spend(1);
        return RawConnection.open(URI.create(base));
    }

    /** How long the latest answer took, without the wait for its turn. */
    long tookNanos() {
        return tookNanos;
    }

    /** The host and port, as the header Host has them. */
    String authority() {
        return URI.create(base).getRawAuthority();
    }

    @Override
    public String toString() {
        return base;
    }

    private CompletableFuture<Response> begin(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString())
                .thenApply(Target::reply)
                .exceptionally(failure -> Response.cutOff());
    }

    private Response once(HttpRequest request) {
        await();
        long begun = System.nanoTime();
        try {
            Response reply = reply(client.send(request, BodyHandlers.ofString()));
            tookNanos = System.nanoTime() - begun;
            return reply;
        } catch (IOException e) {
            return Response.cutOff();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AttackException("interrupted");
        }
    }

    private HttpRequest request(String method, String path, @Nullable String json, String... headers) {
        return json == null
                ? request(method, path, BodyPublishers.noBody(), headers)
                : request(method, path, BodyPublishers.ofString(json), json(headers));
    }

    private HttpRequest request(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT).method(method, body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.build();
    }

    private static String[] json(String... headers) {
        return Stream.concat(Stream.of("Content-Type", "application/json"), Stream.of(headers))
                .toArray(String[]::new);
    }

    private static Response reply(HttpResponse<String> response) {
        return new Response(response.statusCode(), response.headers().map(), response.body());
    }

    private void spend(int requests) {
        left -= requests;
        if (left < 0) {
            throw new AttackException("that took more requests than were allowed: see --most");
        }
    }

    /** Until the next request may be sent. */
    private void await() {
        spend(1);
        long now = System.nanoTime();
        if (next - now > 0) {
            sleep(next - now);
        }
        next = Math.max(next, now) + gapNanos;
    }

    private static void pause(Response reply) {
        String seconds = reply.header("Retry-After");
        boolean told = seconds != null && seconds.matches("\\d{1,6}");
        long wait = told ? Math.min(LONGEST_PAUSE_SECONDS, Long.parseLong(String.valueOf(seconds))) : 5;
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
}
