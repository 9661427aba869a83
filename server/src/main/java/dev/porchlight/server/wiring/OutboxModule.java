// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.mail.MailRenderer;
import dev.porchlight.server.mail.MailSender;
import dev.porchlight.server.mail.SmtpServer;
import dev.porchlight.server.mail.SmtpUrl;
import dev.porchlight.server.outbox.Channel;
import dev.porchlight.server.outbox.OutboundRequests;
import dev.porchlight.server.outbox.Outbox;
import dev.porchlight.server.outbox.OutboxWorker;
import dev.porchlight.server.outbox.WebhookAdministration;
import dev.porchlight.server.outbox.WebhookSender;
import dev.porchlight.server.outbox.Webhooks;
import dev.porchlight.server.routes.MailRoutes;
import dev.porchlight.server.routes.WebhookRoutes;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.web.Languages;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Sends what is in the outbox, and lets operators change it. */
public final class OutboxModule implements Part {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Shorter than the claim of a message. */
    private static final Duration MAIL_LIMIT = Duration.ofMinutes(1);

    private final Config config;
    private final StorageModule storage;
    private final OutboundRequests requests = new OutboundRequests(TIMEOUT);
    private final List<MailSender> mail;
    private final OutboxWorker worker;

    public OutboxModule(
            Config config, StorageModule storage, Languages languages, Observability observe, InstantSource clock) {
        this.config = config;
        this.storage = storage;
        Sql sql = storage.database().sql();
        Outbox outbox = storage.outbox();
        Webhooks webhooks = storage.webhooks();
        mail = config.get(Settings.SMTP_URL).stream()
                .map(url -> new MailSender(smtp(config, url), renderer(config, languages), MAIL_LIMIT, clock))
                .toList();
        List<Channel> channels = new ArrayList<>(mail);
        channels.add(new WebhookSender(sql, webhooks, requests, outbox));
        worker = new OutboxWorker(storage.relay(), outbox, webhooks, channels, observe.metrics(), observe.logger());
    }

    private static SmtpServer smtp(Config config, SmtpUrl url) {
        var party = config.relyingParty();
        String from = config.get(Settings.MAIL_FROM).orElseThrow();
        return new SmtpServer(url, from, party.rpName(), party.origin(), TIMEOUT);
    }

    private static MailRenderer renderer(Config config, Languages languages) {
        return new MailRenderer(
                config.relyingParty().rpName(), config.get(Settings.SUPPORT_URL).orElse(""), languages::of);
    }

    /** Mounts the routes for operators, whose changes are committed to these units. */
    public void mount(Router.Builder router, Units units) {
        var messages = new WebhookAdministration(units, storage.webhooks(), storage.outbox());
        new WebhookRoutes(storage.webhooks(), messages, storage.outbox()).mount(router);
        new MailRoutes(
                        storage.outbox(),
                        messages,
                        units,
                        storage.mail(),
                        config.get(Settings.SMTP_URL).map(Object::toString).orElse(null),
                        config.get(Settings.MAIL_FROM).orElse(null))
                .mount(router);
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
        mail.forEach(MailSender::close);
        requests.close();
    }
}
