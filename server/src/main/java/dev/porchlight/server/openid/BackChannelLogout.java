// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Notifies clients that a session has ended (OpenID Connect Back-Channel Logout). Notices wait in a bounded queue and are
 * retried; what is dropped is counted. Thread-safe.
 */
final class BackChannelLogout implements AutoCloseable {
    private static final int MAX_WAITING = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final List<Duration> RETRIES =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1));

    private final Clients clients;
    private final OpenIdTokens tokens;
    private final Counter notices;
    private final Logger logger;
    /** Confined to the sender's thread; most services never need it. */
    private @Nullable HttpClient http;

    private final AtomicInteger waiting = new AtomicInteger();
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-back-channel-logout");
        thread.setDaemon(true);
        return thread;
    });

    BackChannelLogout(Clients clients, OpenIdTokens tokens, MetricRegistry metrics, Logger logger) {
        this.clients = clients;
        this.tokens = tokens;
        this.notices = metrics.counter("openid_logout_notices_total")
                .help("Back-channel logout notices to clients, by result.")
                .labels("result")
                .register();
        this.logger = logger;
    }

    /** Notifies the clients of these authorizations, which have ended. */
    void notify(List<Authorization> ended) {
        for (Authorization authorization : ended) {
            Client client = clients.find(authorization.clientId());
            if (client == null || client.settings().backChannelLogoutUri() == null) {
                continue;
            }
            if (waiting.incrementAndGet() > MAX_WAITING) {
                waiting.decrementAndGet();
                notices.with("dropped").inc();
            } else {
                sender.execute(() -> send(client, authorization, 0));
            }
        }
    }

    private void send(Client client, Authorization authorization, int attempt) {
        if (isDelivered(client, authorization)) {
            waiting.decrementAndGet();
            notices.with("ok").inc();
        } else if (attempt < RETRIES.size()) {
            notices.with("retried").inc();
            long delay = RETRIES.get(attempt).toMillis();
            var unused = sender.schedule(() -> send(client, authorization, attempt + 1), delay, TimeUnit.MILLISECONDS);
        } else {
            waiting.decrementAndGet();
            notices.with("failed").inc();
            logger.warn("a client did not accept a logout notice", Fields.of("client", client.id()));
        }
    }

    private boolean isDelivered(Client client, Authorization authorization) {
        String uri = client.settings().backChannelLogoutUri();
        if (uri == null) {
            return true;
        }
        String token = tokens.logoutToken(client, authorization);
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "logout_token=" + URLEncoder.encode(token, StandardCharsets.UTF_8)))
                .build();
        try {
            if (http == null) {
                http = HttpClient.newBuilder()
                        .connectTimeout(TIMEOUT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
            }
            int status =
                    http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status / 100 == 2;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        sender.shutdownNow();
    }
}
