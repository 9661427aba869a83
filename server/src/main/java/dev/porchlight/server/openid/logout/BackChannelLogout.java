// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.logout;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.outbox.OutboundRequests;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Notifies clients that a sign-in has ended (OpenID Connect Back-Channel Logout). Each client has a bounded queue and a few
 * concurrent requests, so that one that hangs does not delay the others. A session is reported once, so that no user can fill
 * a queue with many sign-ins. Failed notices are retried; dropped ones are counted. Thread-safe.
 */
final class BackChannelLogout implements AutoCloseable {
    private static final int MAX_WAITING = 500;
    private static final int MAX_CONCURRENT = 4;
    static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final List<Duration> RETRIES =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1));

    private final Clients clients;
    private final OpenIdTokens tokens;
    private final Counter notices;
    private final Logger logger;
    private final OutboundRequests requests;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-back-channel-logout");
        thread.setDaemon(true);
        return thread;
    });

    // Confined to the worker's thread.
    private final Map<String, Lane> lanes = new HashMap<>();

    /** The timeout is to connect, and again for the headers of a response; a whole exchange may take twice as long. */
    BackChannelLogout(Clients clients, OpenIdTokens tokens, MetricRegistry metrics, Logger logger, Duration timeout) {
        this.requests = new OutboundRequests(timeout);
        this.clients = clients;
        this.tokens = tokens;
        this.notices = metrics.counter("openid_logout_notices_total")
                .help("Back-channel logout notices to clients, by result.")
                .labels("result")
                .register();
        this.logger = logger;
    }

    /** A notice to a client that accepts them. */
    private record Notice(Client client, URI uri, Authorization authorization, int attempt) {}

    /** The notices of one client: those that wait, with and without a delay, and the number that are being sent. */
    private static final class Lane {
        private final Queue<Notice> waiting = new ArrayDeque<>();
        private int delayed;
        private int sending;

        private boolean isFull() {
            return waiting.size() + delayed >= MAX_WAITING;
        }

        private boolean isIdle() {
            return waiting.isEmpty() && delayed == 0 && sending == 0;
        }
    }

    /** Notifies clients of the authorizations that {@code end} ends, without delaying the caller. */
    void afterwards(Supplier<List<Authorization>> end) {
        try {
            worker.execute(() -> {
                try {
                    Map<List<String>, Authorization> ended = new LinkedHashMap<>();
                    end.get().forEach(it -> ended.put(List.of(it.clientId(), it.userId(), it.session()), it));
                    ended.values().forEach(authorization -> attempt(authorization, 0));
                } catch (RuntimeException e) {
                    logger.warn("ended sign-ins could not be reported to clients; the next sweep retries", e);
                }
            });
        } catch (RejectedExecutionException e) {
            // the service is stopping; the sweep of another instance, or of the next start, ends them
        }
    }

    /** Looks the client up for each attempt: it may have been changed or removed. */
    private void attempt(Authorization authorization, int attempt) {
        String clientId = authorization.clientId();
        Lane lane = lanes.computeIfAbsent(clientId, id -> new Lane());
        if (attempt == 0 && lane.isFull()) {
            notices.with("dropped").inc();
            return;
        }
        try {
            Client client = clients.find(clientId);
            String uri = client == null ? null : client.settings().backChannelLogoutUri();
            if (client != null && uri != null) {
                lane.waiting.add(new Notice(client, URI.create(uri), authorization, attempt));
                send(lane);
            }
        } catch (RuntimeException e) {
            logger.warn("the client of a logout notice could not be read", e, Fields.of("client", clientId));
            retry(lane, authorization, attempt);
        }
        removeIfIdle(clientId, lane);
    }

    private void send(Lane lane) {
        while (lane.sending < MAX_CONCURRENT) {
            Notice notice = lane.waiting.poll();
            if (notice == null) {
                return;
            }
            lane.sending++;
            var unused = exchange(notice)
                    .whenCompleteAsync(
                            (status, failure) -> sent(lane, notice, failure == null && status / 100 == 2), worker);
        }
    }

    private CompletableFuture<Integer> exchange(Notice notice) {
        try {
            return requests.status(notice.uri, request(notice));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void sent(Lane lane, Notice notice, boolean accepted) {
        lane.sending--;
        if (accepted) {
            notices.with("ok").inc();
        } else {
            retry(lane, notice.authorization, notice.attempt);
        }
        send(lane);
        removeIfIdle(notice.client.id(), lane);
    }

    /** Schedules the next attempt at a notice, unless this was the last. */
    private void retry(Lane lane, Authorization authorization, int attempt) {
        if (attempt == RETRIES.size()) {
            notices.with("failed").inc();
            logger.warn("a logout notice could not be delivered", Fields.of("client", authorization.clientId()));
            return;
        }
        notices.with("retried").inc();
        lane.delayed++;
        var unused = worker.schedule(
                () -> {
                    lane.delayed--;
                    attempt(authorization, attempt + 1);
                },
                RETRIES.get(attempt).toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void removeIfIdle(String clientId, Lane lane) {
        if (lane.isIdle()) {
            lanes.remove(clientId, lane);
        }
    }

    private HttpRequest.Builder request(Notice notice) {
        String token = tokens.logoutToken(notice.client, notice.authorization);
        return HttpRequest.newBuilder()
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "logout_token=" + URLEncoder.encode(token, StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        worker.shutdownNow();
        requests.close();
    }
}
