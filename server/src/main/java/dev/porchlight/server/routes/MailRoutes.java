// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.mail.MailQueue;
import dev.porchlight.server.outbox.Delivery;
import dev.porchlight.server.outbox.Delivery.Kind;
import dev.porchlight.server.outbox.Outbox;
import dev.porchlight.server.outbox.WebhookAdministration;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.Units;
import org.jspecify.annotations.Nullable;

/** The mails in the outbox: {@code /admin/mail}. */
public final class MailRoutes {
    static final Problem OFF = Problem.of(409, "mail_off", "No mail server is configured. Set SMTP_URL and MAIL_FROM.");
    static final Problem FULL =
            Problem.of(409, "mail_full", "1,000 mails wait to be sent. Check the mail server, and try again later.");
    private static final Problem NO_MAIL =
            Problem.of(404, "not_found", "There is no such mail, or it was delivered and its content is deleted.");
    private static final String MAIL = "/admin/mail";

    private final Outbox outbox;
    private final WebhookAdministration messages;
    private final Units units;
    private final @Nullable MailQueue queue;
    private final @Nullable String server;
    private final @Nullable String from;

    /** The routes of a service that may have no mail server. */
    public MailRoutes(
            Outbox outbox,
            WebhookAdministration messages,
            Units units,
            @Nullable MailQueue queue,
            @Nullable String server,
            @Nullable String from) {
        this.outbox = outbox;
        this.messages = messages;
        this.units = units;
        this.queue = queue;
        this.server = server;
        this.from = from;
    }

    public void mount(Router.Builder router) {
        router.get(MAIL, Access.ADMIN_SETTINGS, this::list);
        router.post(MAIL + "/test", Access.ADMIN, this::test);
        router.post(MAIL + "/deliveries/{deliveryId}/redeliver", Access.ADMIN, this::redeliver);
    }

    private Response list(Exchange exchange) throws ProblemException {
        Page<Delivery> page = WebhookRoutes.deliveries(exchange, outbox, Kind.MAIL, MailQueue.TARGET);
        return Response.json(200, json -> {
            json.optionalText("server", server)
                    .optionalText("from", from)
                    .number("pending", outbox.pending(Kind.MAIL, MailQueue.TARGET));
            page.write(json, "deliveries", (member, delivery) -> {
                if (queue == null) {
                    delivery.write(member);
                } else {
                    queue.write(member, delivery);
                }
            });
        });
    }

    private Response test(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        MailQueue mail = require();
        String to;
        try {
            to = ProfileMember.requireEmail(body.text("to"));
        } catch (IllegalArgumentException e) {
            throw new MalformedException("to", String.valueOf(e.getMessage()));
        }
        if (mail.isFull()) {
            throw new ProblemException(FULL);
        }
        String id = units.commit(
                "send a test mail", operator, Target.NONE, connection -> mail.test(connection, to), added -> null);
        return Response.json(201, json -> json.text("deliveryId", id));
    }

    private MailQueue require() throws ProblemException {
        if (queue == null) {
            throw new ProblemException(OFF);
        }
        return queue;
    }

    private Response redeliver(Exchange exchange, Operator operator) throws ProblemException {
        var unused = require();
        String id = exchange.pathParameter("deliveryId");
        if (!messages.redeliver(Kind.MAIL, MailQueue.TARGET, id, operator)) {
            throw new ProblemException(NO_MAIL);
        }
        return Response.of(204);
    }
}
