// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.outbox.Delivery;
import dev.porchlight.server.outbox.Delivery.Kind;
import dev.porchlight.server.outbox.EventType;
import dev.porchlight.server.outbox.Outbox;
import dev.porchlight.server.outbox.Webhook;
import dev.porchlight.server.outbox.WebhookAdministration;
import dev.porchlight.server.outbox.WebhookAdministration.Change;
import dev.porchlight.server.outbox.Webhooks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The endpoints that receive events, and the messages to them: {@code /admin/webhooks}. */
public final class WebhookRoutes {
    private static final Problem NO_WEBHOOK = Problem.of(404, "not_found", "There is no such webhook or delivery.");
    private static final Problem INVALID = Problem.of(400, "invalid_webhook", "The webhook's settings are invalid.");
    private static final Problem TOO_MANY =
            Problem.of(409, "too_many_webhooks", "There are 20 webhooks already. Remove one first.");
    private static final String WEBHOOKS = "/admin/webhooks";
    private static final String WEBHOOK = WEBHOOKS + "/{webhookId}";

    private final Webhooks webhooks;
    private final WebhookAdministration administration;
    private final Outbox outbox;

    public WebhookRoutes(Webhooks webhooks, WebhookAdministration administration, Outbox outbox) {
        this.webhooks = webhooks;
        this.administration = administration;
        this.outbox = outbox;
    }

    public void mount(Router.Builder router) {
        router.get(WEBHOOKS, Access.ADMIN_SETTINGS, this::list);
        router.post(WEBHOOKS, Access.ADMIN_RECENT, this::add);
        router.get(WEBHOOK, Access.ADMIN_SETTINGS, this::show);
        router.add(Method.PATCH, WEBHOOK, Access.ADMIN_RECENT, this::change);
        router.add(Method.DELETE, WEBHOOK, Access.ADMIN_RECENT, this::remove);
        router.post(WEBHOOK + "/rotate-secret", Access.OWNER_RECENT, this::rotate);
        router.post(WEBHOOK + "/test", Access.ADMIN, this::test);
        router.post(WEBHOOK + "/deliveries/{deliveryId}/redeliver", Access.ADMIN, this::redeliver);
    }

    private Response list(Exchange exchange) {
        return Response.json(
                200,
                json -> json.objects("webhooks", webhooks.all(), (member, webhook) -> describe(member, webhook))
                        .texts("types", EventType.all()));
    }

    private void describe(JsonWriter json, Webhook webhook) {
        webhook.write(json);
        json.number("pending", outbox.pending(Kind.WEBHOOK, webhook.id()))
                .optionalText("lastError", outbox.lastError(Kind.WEBHOOK, webhook.id()));
    }

    /** One endpoint, with a page of its deliveries. */
    private Response show(Exchange exchange) throws ProblemException {
        Webhook webhook = require(Optional.ofNullable(webhooks.find(exchange.pathParameter("webhookId"))));
        Page<Delivery> page = deliveries(exchange, outbox, Kind.WEBHOOK, webhook.id());
        return Response.json(200, json -> {
            describe(json, webhook);
            page.write(json, "deliveries", (member, delivery) -> delivery.write(member));
        });
    }

    static Page<Delivery> deliveries(Exchange exchange, Outbox outbox, Kind kind, String target)
            throws ProblemException {
        int limit = Page.limit(exchange);
        String text = Page.parameter(exchange, "after");
        Delivery.Cursor after = text == null ? null : Delivery.Cursor.parse(text);
        if (text != null && after == null) {
            throw new ProblemException(Problem.malformed("after must be the value of next in the previous page."));
        }
        String state = Objects.requireNonNullElse(exchange.queryParameter("state"), "");
        if (!state.isEmpty() && !Delivery.STATES.contains(state)) {
            throw new ProblemException(Problem.malformed("state must be pending, delivered or failed."));
        }
        return Page.of(outbox.list(kind, target, state, after, limit + 1), limit, Delivery.Cursor::of);
    }

    private Response add(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        body.text("url"); // required
        return withSecret(
                201, administration.add(change(body), operator).orElseThrow(() -> new ProblemException(TOO_MANY)));
    }

    private Response change(Exchange exchange, Operator operator) throws Exception {
        String id = exchange.pathParameter("webhookId");
        Webhook changed = require(administration.change(id, change(exchange.jsonObject()), operator));
        return Response.json(200, changed::write);
    }

    private static Change change(JsonObject body) throws MalformedException, ProblemException {
        Set<String> names = body.names();
        List<String> events = names.contains("events") ? body.texts("events") : null;
        Change change = new Change(body.optionalText("url"), events, body.optionalBool("enabled"));
        List<String> problems = change.problems();
        if (!problems.isEmpty()) {
            throw new ProblemException(INVALID.withDetail(String.join(" ", problems)));
        }
        return change;
    }

    private Response rotate(Exchange exchange, Operator operator) throws ProblemException {
        String id = exchange.pathParameter("webhookId");
        return withSecret(200, require(administration.rotate(id, operator)));
    }

    /** The only responses with a secret. */
    private static Response withSecret(int status, Webhook webhook) {
        return Response.json(status, json -> {
            webhook.write(json);
            json.text("secret", webhook.secrets().current());
        });
    }

    private Response test(Exchange exchange, Operator operator) throws ProblemException {
        String delivery = require(administration.test(exchange.pathParameter("webhookId"), operator));
        return Response.json(201, json -> json.text("deliveryId", delivery));
    }

    private Response redeliver(Exchange exchange, Operator operator) throws ProblemException {
        String id = exchange.pathParameter("webhookId");
        if (!administration.redeliver(Kind.WEBHOOK, id, exchange.pathParameter("deliveryId"), operator)) {
            throw new ProblemException(NO_WEBHOOK);
        }
        return Response.of(204);
    }

    private Response remove(Exchange exchange, Operator operator) throws ProblemException {
        if (!administration.remove(exchange.pathParameter("webhookId"), operator)) {
            throw new ProblemException(NO_WEBHOOK);
        }
        return Response.of(204);
    }

    private static <T> T require(Optional<T> found) throws ProblemException {
        return found.orElseThrow(() -> new ProblemException(NO_WEBHOOK));
    }
}
