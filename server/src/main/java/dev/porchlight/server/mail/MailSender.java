// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import dev.porchlight.base.MalformedException;
import dev.porchlight.server.outbox.Channel;
import dev.porchlight.server.outbox.Delivery;
import dev.porchlight.server.outbox.Delivery.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Sends the mails of the outbox. Thread-safe. */
public final class MailSender implements Channel, AutoCloseable {
    private static final int CONCURRENCY = 4;
    private static final Result TOO_SLOW = new Result("the mail server took too long", false);

    private final SmtpServer server;
    private final MailRenderer renderer;
    private final Duration limit;
    private final InstantSource clock;
    private final ExecutorService senders = Executors.newFixedThreadPool(CONCURRENCY, task -> {
        Thread thread = new Thread(task, "porchlight-mail");
        thread.setDaemon(true);
        return thread;
    });

    /** No delivery takes longer than {@code limit}, however slowly the server responds. */
    public MailSender(SmtpServer server, MailRenderer renderer, Duration limit, InstantSource clock) {
        this.server = server;
        this.renderer = renderer;
        this.limit = limit;
        this.clock = clock;
    }

    @Override
    public Kind kind() {
        return Kind.MAIL;
    }

    @Override
    public boolean accepts(String target) {
        return true;
    }

    @Override
    public int concurrency() {
        return CONCURRENCY;
    }

    @Override
    public CompletableFuture<Result> send(Delivery delivery, String payload) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        Future<?> attempt = senders.submit(() -> result.complete(sent(delivery, payload)));
        CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    if (result.complete(TOO_SLOW)) {
                        attempt.cancel(true); // closes the connection
                    }
                });
        return result;
    }

    private Result sent(Delivery delivery, String payload) {
        try {
            MailMessage message = MailMessage.parse(payload);
            long now = clock.millis();
            if (message.until() > 0 && message.until() <= now) {
                return new Result("its link expired before it could be sent", true);
            }
            Notice notice = Notice.valueOf(delivery.type().toUpperCase(Locale.ROOT));
            server.send(delivery.id(), message.to(), renderer.render(notice, message), now);
            return Result.DELIVERED;
        } catch (MailException e) {
            return new Result(String.valueOf(e.getMessage()), e.isPermanent());
        } catch (MalformedException | IllegalArgumentException e) {
            return new Result("another release wrote it", true);
        }
    }

    @Override
    public void close() {
        senders.shutdownNow();
    }
}
