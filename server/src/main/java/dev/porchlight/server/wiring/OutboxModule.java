// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.server.outbox.OutboundRequests;
import dev.porchlight.server.outbox.Outbox;
import dev.porchlight.server.outbox.OutboxWorker;
import dev.porchlight.server.outbox.WebhookSender;
import dev.porchlight.server.outbox.Webhooks;
import java.time.Duration;
import java.util.List;

/** Sends what is in the outbox. */
public final class OutboxModule implements Part {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final OutboundRequests requests = new OutboundRequests(TIMEOUT);
    private final OutboxWorker worker;

    public OutboxModule(StorageModule storage, Observability observe) {
        Sql sql = storage.database().sql();
        Outbox outbox = storage.outbox();
        Webhooks webhooks = storage.webhooks();
        worker = new OutboxWorker(
                storage.relay(),
                outbox,
                webhooks,
                List.of(new WebhookSender(sql, webhooks, requests, outbox)),
                observe.metrics(),
                observe.logger());
    }

    /** Removes old messages. */
    public void sweep() {
        worker.sweep();
    }

    @Override
    public void start() {
        worker.start();
    }

    @Override
    public void close() {
        worker.close();
        requests.close();
    }
}
