// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.canary.CanaryRun.FailedStepException;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.Propagation;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.trace.SpanStatus;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Transport;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tests a running service at an interval: a valid sign-in must succeed, and tampered ones must be refused. Private keys exist
 * only in memory. Thread-safe.
 */
public final class Canary implements AutoCloseable {
    static final String USER_AGENT = "porchlight-canary";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);

    private final CanarySettings settings;
    private final Observability observe;
    private final CanaryMetrics metrics;
    private final CanaryHealth health;
    private final Transport service;
    private final Transport admin;
    private final Deque<CanaryRun.Leftover> leftovers = new ConcurrentLinkedDeque<>();
    private final SecureRandom random = new SecureRandom();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable MetricsServer server;
    private @Nullable Thread thread;

    /** A canary that exports its metrics to this registry. */
    public Canary(CanarySettings settings, Observability observe) {
        this.settings = settings;
        this.observe = observe;
        this.metrics = new CanaryMetrics(observe.metrics());
        this.health = new CanaryHealth(observe.logger());
        this.service = Transport.to(URI.create(settings.url()), TIMEOUT);
        this.admin = Transport.to(URI.create(settings.adminUrl()), TIMEOUT);
    }

    /**
     * Serves the metrics and starts the first round.
     *
     * @return the port of the metrics
     * @throws IOException if the port cannot be used
     */
    public synchronized int start() throws IOException {
        MetricsServer serving = new MetricsServer(settings.host(), settings.port(), observe.endpoints(), health);
        observe.logger()
                .info("canary started: metrics at http://" + settings.host() + ':' + serving.port() + "/metrics");
        server = serving;
        thread = new Thread(this::run, "porchlight-canary");
        thread.start();
        return serving.port();
    }

    private void run() {
        try {
            do {
                round();
            } while (!closing.await(pause(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Varies the interval by a tenth, so that canaries that started together drift apart. */
    private long pause() {
        return (long) (settings.every().toMillis() * ThreadLocalRandom.current().nextDouble(0.9, 1.1));
    }

    /** Runs one round and returns its outcome. */
    String round() {
        long begin = System.nanoTime();
        Span span = observe.tracer()
                .start("canary round", Attributes.of("user_agent.synthetic.type", "test"), SpanContext.NONE);
        var authenticator = SoftAuthenticator.builder()
                .attestation(AttestationFormat.PACKED_SELF)
                .build();
        String correlationId = "canary-" + hex();
        Web page = web(service, correlationId, span).with("Origin", settings.origin());
        CanaryRun run = new CanaryRun(
                new Person(page, settings.origin(), settings.user(), authenticator),
                web(admin, correlationId, span).bearer(settings.adminToken()),
                metrics,
                leftovers);
        FailedStepException failure = null;
        try {
            run.run();
        } catch (FailedStepException e) {
            failure = e;
        } catch (RuntimeException e) {
            failure = new FailedStepException("unexpected", e); // the next round follows anyway
        } finally {
            if (failure != null || !run.accepted().isEmpty()) {
                span.status(SpanStatus.ERROR);
            }
            span.end();
        }
        String outcome = !run.accepted().isEmpty()
                ? CanaryMetrics.ACCEPTED
                : failure != null ? CanaryMetrics.FAILED : CanaryMetrics.OK;
        metrics.round(outcome, System.nanoTime() - begin, Instant.now());
        health.update(run.accepted(), failure, correlationId, Instant.now());
        return outcome;
    }

    /** A client for the requests of one round, which have a correlation id and a trace in common. */
    private Web web(Transport transport, String correlationId, Span span) {
        List<String> headers = new ArrayList<>(List.of("User-Agent", USER_AGENT, "X-Correlation-ID", correlationId));
        Propagation.inject(span.context(), (name, value) -> headers.addAll(List.of(name, value)));
        return new Web(transport).with(headers.toArray(String[]::new));
    }

    private String hex() {
        byte[] drawn = new byte[8];
        random.nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }

    /** Stops after the current round, which removes its passkey. */
    @Override
    public synchronized void close() {
        closing.countDown();
        if (thread != null) {
            try {
                thread.join(CLOSE_LIMIT.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (server != null) {
            server.close();
        }
    }
}
