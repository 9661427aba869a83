// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.SupportCode;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.observe.page.StateSampler;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.EventStreams;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Gzip;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.operator.explain.CeremonySearch;
import dev.porchlight.server.operator.explain.CeremonySearch.Result;
import dev.porchlight.server.web.Languages;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The API of the console page: {@code /console/api/*} and {@code /admin/ceremonies/CODE}. Thread-safe. */
public final class ConsoleRoutes {
    private static final Problem NO_CEREMONY = new Problem(
            404,
            "not_found",
            "There is no ceremony with this code.",
            "Compare it with the user's page first: it may be mistyped. Failed ceremonies are kept for 24 hours, and for less"
                    + " if there are more than a thousand of a kind. Only the instance that began one knows it before it ends."
                    + " An attempt that never reached the service, because the user was offline or the service was down,"
                    + " is not known, nor is one of a user who was erased since.");
    private static final Problem NOT_SEARCHED = Problem.of(CommonProblem.STORAGE_UNAVAILABLE)
            .withDetail(
                    "Only this instance was searched, because the database is unavailable. Search on the instance that the"
                            + " user reached, or again when the database responds: codes from an outage are kept.");
    private static final Problem NOT_A_CODE = new Problem(
            404,
            "not_found",
            "This is not a support code, and no ceremony has it as its correlation id or trace id.",
            "A support code has two characters, a hyphen and three characters, such as K7-4QX. Ask the user for it again.");

    private final CeremonySearch search;
    private final StateSampler sampler;
    private final EventStreams streams;
    private final PasskeyConfig passkeyConfig;
    private final Predicate<Operator> current;

    /** The routes; streams end when the operator is no longer {@code current}. */
    public ConsoleRoutes(
            CeremonySearch search,
            StateSampler sampler,
            EventStreams streams,
            PasskeyConfig passkeyConfig,
            Predicate<Operator> current) {
        this.current = current;
        this.search = search;
        this.sampler = sampler;
        this.streams = streams;
        this.passkeyConfig = passkeyConfig;
    }

    public void mount(Router.Builder router) {
        router.get("/console/api/history", Access.CONSOLE, this::history);
        router.get(
                "/console/api/stream", Access.CONSOLE, (exchange, operator) -> streams.join(() -> isCurrent(operator)));
        router.get("/console/api/operator", Access.CONSOLE, (exchange, operator) -> caller(operator));
        router.get("/console/api/ceremonies", Access.CONSOLE, this::ceremonies);
        router.get("/admin/ceremonies/{code}", Access.ADMIN_READ, this::byCode);
    }

    private boolean isCurrent(Operator operator) {
        try {
            return current.test(operator);
        } catch (StorageException e) {
            return false; // the console connects again
        }
    }

    /** Returns who the operator is and what they may do. */
    private static Response caller(Operator operator) {
        return Response.json(
                200,
                json -> json.text("role", operator.role().code())
                        .optionalText("userId", operator.userId())
                        .optionalText(
                                "token",
                                operator.token() == null
                                        ? null
                                        : operator.token().name())
                        .texts(
                                "permissions",
                                Stream.of(Permission.values())
                                        .filter(operator::may)
                                        .map(Permission::code)
                                        .toList()));
    }

    /** Returns an hour of samples: about a megabyte, which compresses well. */
    private Response history(Exchange exchange) {
        byte[] json = sampler.history();
        Response response = Gzip.isAccepted(exchange)
                ? Response.json(200, Gzip.compress(json)).with("Content-Encoding", "gzip")
                : Response.json(200, json);
        return response.with("Vary", "Accept-Encoding");
    }

    private Response ceremonies(Exchange exchange) throws ProblemException {
        String find = exchange.queryParameter("find");
        if (find != null && !find.isBlank()) {
            return response(exchange, search.find(find));
        }
        return response(exchange, search.latest());
    }

    private Response byCode(Exchange exchange, Operator operator) throws ProblemException {
        String code = exchange.pathParameter("code");
        Result found = search.findById(code);
        if (found.ceremonies().isEmpty()) {
            Problem unknown = SupportCode.read(code) == null ? NOT_A_CODE : NO_CEREMONY;
            throw new ProblemException(found.complete() ? unknown : NOT_SEARCHED);
        }
        return response(exchange, found);
    }

    private Response response(Exchange exchange, Result found) {
        String language = Languages.SHIPPED.of(exchange).tag();
        return Response.json(
                200,
                json -> json.object("settings", this::settings)
                        .bool("complete", found.complete())
                        .objects(
                                "ceremonies",
                                found.ceremonies(),
                                (member, ceremony) -> ceremony.write(member, language)));
    }

    /** Writes the settings that a ceremony's origin or RP ID may not match. */
    private void settings(JsonWriter json) {
        json.text(Settings.RP_ID.name(), passkeyConfig.rpId())
                .text(Settings.RP_ORIGIN.name(), passkeyConfig.origin())
                .text(
                        Settings.RP_RELATED_ORIGINS.name(),
                        passkeyConfig.relatedOrigins().stream().sorted().collect(Collectors.joining(", ")));
    }
}
