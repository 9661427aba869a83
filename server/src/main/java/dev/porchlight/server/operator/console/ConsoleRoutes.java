// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.history.Ceremony;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.CeremonyHistory.SearchResult;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.EventStreams;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Gzip;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.web.Languages;
import java.util.List;
import java.util.stream.Collectors;

/** The API of the console page: {@code /console/api/*}. Thread-safe. */
public final class ConsoleRoutes {
    private final CeremonyHistory history;
    private final StateSampler sampler;
    private final EventStreams streams;
    private final PasskeyConfig passkeyConfig;

    public ConsoleRoutes(
            CeremonyHistory history, StateSampler sampler, EventStreams streams, PasskeyConfig passkeyConfig) {
        this.history = history;
        this.sampler = sampler;
        this.streams = streams;
        this.passkeyConfig = passkeyConfig;
    }

    public void mount(Router.Builder router) {
        router.get("/console/api/history", Access.CONSOLE, this::history);
        router.get("/console/api/stream", Access.CONSOLE, exchange -> streams.join());
        router.get("/console/api/ceremonies", Access.CONSOLE, this::ceremonies);
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
            SearchResult found = history.find(find);
            return response(exchange, found.ceremonies(), found.complete());
        }
        return response(exchange, history.latest(), true);
    }

    private Response response(Exchange exchange, List<Ceremony> found, boolean complete) {
        String language = Languages.CONSOLE.of(exchange).tag();
        return Response.json(
                200,
                json -> json.object("settings", this::settings)
                        .bool("complete", complete)
                        .objects("ceremonies", found, (member, ceremony) -> {
                            ceremony.write(member, language);
                            member.bool("kept", history.isExplainable(ceremony));
                        }));
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
