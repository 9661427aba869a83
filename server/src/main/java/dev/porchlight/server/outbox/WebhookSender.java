// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import dev.porchlight.base.JsonTree;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.outbox.Delivery.Kind;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Sends events to the endpoints of webhooks, signed by the Standard Webhooks convention. Thread-safe. */
public final class WebhookSender implements Channel {
    private static final int CONCURRENCY = 8;

    private final Sql sql;
    private final Webhooks webhooks;
    private final OutboundRequests requests;
    private final Outbox outbox;

    public WebhookSender(Sql sql, Webhooks webhooks, OutboundRequests requests, Outbox outbox) {
        this.sql = sql;
        this.webhooks = webhooks;
        this.requests = requests;
        this.outbox = outbox;
    }

    @Override
    public Kind kind() {
        return Kind.WEBHOOK;
    }

    @Override
    public int concurrency() {
        return CONCURRENCY;
    }

    @Override
    public boolean accepts(String target) {
        Webhook webhook = webhooks.find(target);
        return webhook != null && webhook.enabled();
    }

    @Override
    public CompletableFuture<Result> send(Delivery delivery, String payload) {
        Webhook webhook = webhooks.find(delivery.target());
        if (webhook == null) {
            return CompletableFuture.completedFuture(new Result("the endpoint was removed", true));
        }
        if (!webhook.secrets().isReadable()) {
            return CompletableFuture.completedFuture(new Result("the secret cannot be read: rotate it", false));
        }
        String body = named(payload);
        long now = outbox.now();
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .header("User-Agent", "Porchlight")
                .header("webhook-id", delivery.id())
                .header("webhook-timestamp", Long.toString(now / 1_000))
                .header("webhook-signature", webhook.secrets().sign(delivery.id(), now / 1_000, body, now))
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return requests.status(URI.create(webhook.url()), request)
                .thenApply(status -> status / 100 == 2
                        ? Result.DELIVERED
                        : new Result("the endpoint responded with status " + status, false));
    }

    /** Replaces the pseudonyms of a user and an operator who are known and not erased. */
    private String named(String payload) {
        Map<String, Object> message = JsonTree.parse(payload);
        Map<String, Object> data = JsonTree.object(message, "data");
        if (data.get("userId") instanceof String subject) {
            data.put("userId", AuditSubjects.named(sql, subject));
        }
        if (data.get("operator") instanceof String label) {
            data.put("operator", AuditSubjects.shownLabel(sql, label));
        }
        return JsonTree.write(message);
    }
}
