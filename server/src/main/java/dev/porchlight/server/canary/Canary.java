// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.trace.SpanStatus;
import dev.porchlight.observe.trace.Tracer;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.server.canary.OwnDoor.Visit;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Middleware;
import dev.porchlight.server.http.Synthetic;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.Lie;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries the service from inside, again and again: whether somebody who should gets in, and whether somebody who should not does
 * not. Its private keys are in memory, and only for the time of a round. Thread-safe.
 */
public final class Canary implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Duration every;
    private final Config config;
    private final CanaryAccount account;
    private final Tracer tracer;
    private final CanaryMetrics metrics;
    private final Condition condition;
    private final List<Lie> lies;
    private final SecureRandom random = new SecureRandom();
    private final InstantSource clock;
    private final String mark = hex(32);
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable OwnDoor door;
    private @Nullable Thread thread;

    /** A canary that makes a round every so often, once it is started. */
    public Canary(Duration every, Config config, CanaryAccount account, Observability observe, InstantSource clock) {
        this.every = every;
        this.config = config;
        this.account = account;
        this.clock = clock;
        this.tracer = observe.tracer();
        this.metrics = new CanaryMetrics(observe.metrics());
        this.condition = new Condition(observe.logger());
        this.lies = Lies.of(config.relyingParty().userVerification() == UserVerification.REQUIRED);
        observe.health().register("canary", condition::check);
    }

    /** What its requests are known by: a secret of this process. */
    public String mark() {
        return mark;
    }

    /** Tells its requests from those of users. */
    public Middleware recognition() {
        return new Synthetic(mark, Round.ROUTES);
    }

    /**
     * Begins with the first round.
     *
     * @param port where the service listens
     * @param shown the identities that it may show in TLS handshakes, if it does
     */
    public synchronized void start(int port, Supplier<List<KeyStore>> shown) {
        OwnDoor own = new OwnDoor(config, port, mark, shown);
        Thread bird = new Thread(() -> fly(own), "porchlight-canary");
        bird.setDaemon(true);
        door = own;
        thread = bird;
        bird.start();
    }

    private void fly(OwnDoor own) {
        try {
            do {
                round(own);
            } while (!closing.await(pause(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            // the service stops
        }
    }

    /** A tenth more or less, so that instances that started together do not stay together. */
    private long pause() {
        return (long) (every.toMillis() * ThreadLocalRandom.current().nextDouble(0.9, 1.1));
    }

    private void round(OwnDoor own) throws InterruptedException {
        long begin = System.nanoTime();
        Span span = tracer.start("canary round", Attributes.of("user_agent.synthetic.type", "test"), SpanContext.NONE);
        var browser = new SoftBrowser(
                config.relyingParty().origin(),
                SoftAuthenticator.builder()
                        .attestation(AttestationFormat.PACKED_SELF)
                        .build());
        Visit visit = new Visit("canary-" + hex(8), span.context());
        Round round = new Round(own, account, browser, config.get(Settings.LOGIN_RESULT), metrics, visit);
        FailedStepException failure = null;
        try {
            round.run(lies);
        } catch (FailedStepException e) {
            failure = e;
        } catch (RuntimeException e) {
            failure = new FailedStepException("unforeseen", e); // and the next round comes all the same
        } finally {
            if (failure != null || !round.accepted().isEmpty()) {
                span.status(SpanStatus.ERROR);
            }
            span.end();
        }
        if (closing.getCount() == 0) {
            return; // what fails while the service stops says nothing
        }
        String outcome = !round.accepted().isEmpty()
                ? CanaryMetrics.ACCEPTED
                : failure != null ? CanaryMetrics.FAILED : CanaryMetrics.OK;
        metrics.round(outcome, System.nanoTime() - begin, clock.instant());
        condition.became(round.accepted(), failure, visit.correlationId(), clock.instant());
    }

    private String hex(int bytes) {
        byte[] drawn = new byte[bytes];
        random.nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }

    /** Asks nothing any more and begins no other round; does not wait for the one under way, which removes its passkey. */
    public synchronized void stop() {
        closing.countDown();
        if (door != null) {
            door.close();
        }
    }

    /** Stops, and waits for the end of the round under way. */
    @Override
    public synchronized void close() {
        stop();
        if (thread == null) {
            return;
        }
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
