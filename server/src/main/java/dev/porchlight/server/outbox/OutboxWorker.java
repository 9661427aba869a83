// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.server.outbox.Delivery.Kind;
import dev.porchlight.server.outbox.Outbox.Claimed;
import dev.porchlight.server.outbox.Outbox.Target;
import java.net.ConnectException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Relays events into the outbox and sends its messages. A target that hangs does not delay others. A message is claimed before
 * it is sent; if the process ends before the result is stored, another attempt follows. Thread-safe.
 */
public final class OutboxWorker implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final EventRelay relay;
    private final Outbox outbox;
    private final Webhooks webhooks;
    private final List<Channel> channels;
    private final Logger logger;
    private final Counter deliveries;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-outbox");
        thread.setDaemon(true);
        return thread;
    });

    // Confined to the worker's thread.
    private final Map<Target, Integer> sending = new HashMap<>();
    private boolean failing;

    private final Map<Kind, Long> pending = new ConcurrentHashMap<>();

    public OutboxWorker(
            EventRelay relay,
            Outbox outbox,
            Webhooks webhooks,
            List<Channel> channels,
            MetricRegistry metrics,
            Logger logger) {
        this.relay = relay;
        this.outbox = outbox;
        this.webhooks = webhooks;
        this.channels = channels;
        this.logger = logger;
        this.deliveries = metrics.counter("outbox_deliveries_total")
                .help("Attempts to deliver mails and webhooks, by kind and result: ok, retried or failed.")
                .labels("kind", "result")
                .register();
        metrics.gauge("outbox_pending")
                .help("Mails and webhooks that wait to be delivered, as of the last half minute.")
                .labels("kind")
                .read(samples ->
                        channels.forEach(it -> samples.sample(pending.getOrDefault(it.kind(), 0L), kindOf(it))));
    }

    private static String kindOf(Channel channel) {
        return channel.kind().code();
    }

    public void start() {
        long millis = INTERVAL.toMillis();
        var unused = worker.scheduleWithFixedDelay(this::run, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Removes old messages and counts those that wait; called periodically. */
    public void sweep() {
        outbox.sweep();
        webhooks.sweep();
        channels.forEach(channel -> pending.put(channel.kind(), outbox.pending(channel.kind())));
    }

    /** A failure is logged once; the next run retries. */
    private void run() {
        try {
            if (webhooks.exist() || channels.stream().anyMatch(channel -> channel.kind() == Kind.MAIL)) {
                relay.run();
                outbox.dueTargets().forEach(this::send);
            }
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                logger.warn("the outbox could not be read; the next run retries", e);
            }
            failing = true;
        }
    }

    private void send(Target target) {
        for (Channel channel : channels) {
            int free = channel.concurrency() - sending.getOrDefault(target, 0);
            if (channel.kind() == target.kind() && free > 0 && channel.accepts(target.name())) {
                outbox.claim(target, free).forEach(claimed -> send(channel, target, claimed));
            }
        }
    }

    private void send(Channel channel, Target target, Claimed claimed) {
        sending.merge(target, 1, Integer::sum);
        try {
            var unused = attempt(channel, claimed)
                    .whenCompleteAsync((result, failure) -> ended(target, claimed, result, failure), worker);
        } catch (RejectedExecutionException e) {
            // the service is stopping; the message is sent again when its claim has expired
        }
    }

    private static CompletableFuture<Channel.Result> attempt(Channel channel, Claimed claimed) {
        String payload = claimed.payload();
        if (payload == null) {
            return CompletableFuture.completedFuture(new Channel.Result("the message cannot be decrypted", true));
        }
        try {
            return channel.send(claimed.delivery(), payload);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void ended(Target target, Claimed claimed, Channel.@Nullable Result result, @Nullable Throwable failure) {
        sending.computeIfPresent(target, (key, count) -> count == 1 ? null : count - 1);
        Channel.Result known = result != null ? result : new Channel.Result(cause(failure), false);
        try {
            record(claimed.delivery(), known);
            send(target);
        } catch (StorageException e) {
            // the message is sent again when its claim has expired
        }
    }

    private void record(Delivery delivery, Channel.Result result) {
        String kind = delivery.kind().code();
        if (result.delivered()) {
            outbox.delivered(delivery);
            deliveries.with(kind, "ok").inc();
        } else if (outbox.failed(delivery, result)) {
            deliveries.with(kind, "retried").inc();
        } else {
            deliveries.with(kind, "failed").inc();
            logger.warn(
                    "a message could not be delivered",
                    Fields.of(
                            "target",
                            delivery.target().isEmpty() ? kind : delivery.target(),
                            "delivery",
                            delivery.id()));
        }
    }

    /** The innermost cause, which names the problem. */
    private static String cause(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null && cause.getCause() != null && !(cause instanceof ConnectException)) {
            cause = cause.getCause();
        }
        if (cause instanceof ConnectException) {
            return "the target accepts no connection";
        }
        if (cause == null) {
            return "unknown";
        }
        String message = cause.getMessage();
        return cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
