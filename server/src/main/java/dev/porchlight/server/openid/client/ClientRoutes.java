// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.history.Ceremony;
import dev.porchlight.server.history.CeremonyEvent.ClientRefusal;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.ClientAdministration.Kind;
import dev.porchlight.server.openid.client.ClientAdministration.Registration;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.web.Languages;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** Administration of clients: {@code /admin/clients}. */
public final class ClientRoutes {
    private static final Problem NO_CLIENT = Problem.of(404, "not_found", "There is no such client.");
    private static final Problem NO_SECRET = Problem.of(409, "no_client_secret", "This client has no secret.");
    private static final Problem EXISTS = Problem.of(409, "client_exists", "A client with this id exists already.");
    private static final Problem CHANGED = Problem.of(
            409, "conflicting_change", "The client was changed in the meantime. Read it again, and repeat the change.");
    private static final Problem INVALID =
            Problem.of(400, "invalid_client_settings", "The client's settings are invalid.");

    private static final int MAX_SIGN_INS = 20;
    private static final Set<String> NEW_CLIENT = Set.of("clientId", "name", "public");
    private static final Set<String> CHANGE = Set.of("name");

    private final Clients clients;
    private final ClientAdministration administration;
    private final AuditStore audit;
    private final CeremonyHistory history;
    private final String issuer;
    private final String ownAudience;
    private final Consumer<String> stricter;

    /** Routes for operators; {@code stricter} ends what a client got before its settings became stricter. */
    public ClientRoutes(
            Clients clients,
            ClientAdministration administration,
            AuditStore audit,
            CeremonyHistory history,
            String issuer,
            String ownAudience,
            Consumer<String> stricter) {
        this.clients = clients;
        this.administration = administration;
        this.audit = audit;
        this.history = history;
        this.issuer = issuer;
        this.ownAudience = ownAudience;
        this.stricter = stricter;
    }

    public void mount(Router.Builder router) {
        router.get("/admin/clients", Access.ADMIN_SETTINGS, this::list);
        router.post("/admin/clients", Access.ADMIN_RECENT, this::add);
        router.get("/admin/clients/{clientId}", Access.ADMIN_SETTINGS, this::show);
        router.add(Method.PATCH, "/admin/clients/{clientId}", Access.ADMIN_RECENT, this::change);
        router.add(Method.DELETE, "/admin/clients/{clientId}", Access.ADMIN_RECENT, this::remove);
        router.get("/admin/clients/{clientId}/activity", Access.ADMIN_SETTINGS, this::activity);
        router.post("/admin/clients/{clientId}/rotate-secret", Access.OWNER_RECENT, this::rotateSecret);
    }

    private Response list(Exchange exchange) {
        Map<String, Long> lastSignIns = audit.lastSignIns();
        return Response.json(
                200,
                json -> json.objects("clients", clients.all(), (member, client) -> {
                    client.write(member, issuer);
                    member.optionalNumber("lastLoginAt", lastSignIns.get(client.id()));
                }));
    }

    /** The latest sign-ins and refused requests of a client. */
    private Response activity(Exchange exchange) throws ProblemException {
        Client client = client(exchange);
        List<AuditEntry> signIns = audit.signInsTo(client.id(), client.createdAt(), MAX_SIGN_INS);
        String language = Languages.SHIPPED.of(exchange).tag();
        CeremonyHistory.SearchResult refused = history.ofClient(client.id());
        return Response.json(
                200,
                json -> json.objects(
                                "logins",
                                signIns,
                                (member, entry) -> member.number("at", entry.at())
                                        .text("userId", entry.event().userId())
                                        .text("correlationId", entry.event().correlationId()))
                        .objects(
                                "refusals",
                                refused.ceremonies(),
                                (member, ceremony) -> write(member, ceremony, language))
                        .bool("complete", refused.complete()));
    }

    private static void write(JsonWriter json, Ceremony ceremony, String language) {
        ClientRefusal refusal = ceremony.clientRefusal();
        Cause cause = ceremony.cause();
        if (refusal != null && cause != null) {
            Cause translated = cause.in(language);
            json.number("at", refusal.request().at())
                    .text("supportCode", ceremony.supportCode())
                    .text("endpoint", refusal.endpoint())
                    .text("reason", refusal.reason())
                    .text("sentence", translated.what())
                    .text("advice", translated.advice())
                    .text("parameter", refusal.parameter())
                    .text("expected", refusal.expected())
                    .text("found", refusal.found())
                    .text("userId", refusal.user())
                    .text("correlationId", refusal.request().correlationId());
        }
    }

    private Response show(Exchange exchange) throws ProblemException {
        Client client = client(exchange);
        return Response.json(200, json -> client.write(json, issuer));
    }

    private Response add(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        requireKnown(body, NEW_CLIENT);
        String id = body.text("clientId");
        String name = Objects.requireNonNullElse(body.optionalText("name"), id);
        boolean isPublic = Boolean.TRUE.equals(body.optionalBool("public"));
        ClientSettings settings = ClientSettings.read(body);
        requireValid(id, name, settings, Kind.of(isPublic, settings));
        Registration registration = administration.add(id, name, settings, isPublic, operator);
        if (registration == null) {
            throw new ProblemException(EXISTS);
        }
        return Response.json(201, json -> {
            registration.client().write(json, issuer);
            json.optionalText("clientSecret", registration.secret());
        });
    }

    /** Changes the members that are present. */
    private Response change(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        requireKnown(body, CHANGE);
        Client client = client(exchange);
        String name = Objects.requireNonNullElse(body.optionalText("name"), client.name());
        ClientSettings settings = client.settings().with(body);
        requireValid(client.id(), name, settings, Kind.of(client));
        if (!administration.change(client, name, settings, operator)) {
            throw new ProblemException(clients.find(client.id()) == null ? NO_CLIENT : CHANGED);
        }
        if (settings.isStricterThan(client.settings())) {
            stricter.accept(client.id());
        }
        return show(exchange);
    }

    /** Refuses misspelled and null members: without its {@code groups}, a client would be open to all users. */
    private static void requireKnown(JsonObject body, Set<String> beside) throws ProblemException {
        for (String name : body.names()) {
            if (body.isNull(name)) {
                throw new ProblemException(INVALID.withDetail("The member " + Refusal.cut(name) + " is null."));
            }
            if (!beside.contains(name) && !ClientSettings.names().contains(name)) {
                throw new ProblemException(INVALID.withDetail("The member " + Refusal.cut(name) + " is unknown."));
            }
        }
    }

    private void requireValid(String id, String name, ClientSettings settings, Kind kind) throws ProblemException {
        List<String> problems = ClientAdministration.problems(id, name, settings, kind, ownAudience);
        if (!problems.isEmpty()) {
            throw new ProblemException(INVALID.withDetail(String.join(" ", problems)));
        }
    }

    private Response rotateSecret(Exchange exchange, Operator operator) throws ProblemException {
        Client client = client(exchange);
        String secret = administration.rotateSecret(client.id(), operator);
        if (secret == null) {
            throw new ProblemException(NO_SECRET);
        }
        return Response.json(200, json -> json.text("clientSecret", secret));
    }

    private Response remove(Exchange exchange, Operator operator) throws ProblemException {
        if (!administration.remove(exchange.pathParameter("clientId"), operator)) {
            throw new ProblemException(NO_CLIENT);
        }
        return Response.of(204);
    }

    private Client client(Exchange exchange) throws ProblemException {
        Client client = clients.find(exchange.pathParameter("clientId"));
        if (client == null) {
            throw new ProblemException(NO_CLIENT);
        }
        return client;
    }
}
