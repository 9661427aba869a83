// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What the service says of itself: {@code GET /openapi.json}, and {@code GET /} for somebody who looks around. */
public final class DescriptionRoutes {
    private static final String CACHE = "public, max-age=300";

    private final byte[] description;
    private final boolean operations;

    /** Shows the operators' links only where they are served. */
    public DescriptionRoutes(boolean operations) {
        this.description = read();
        this.operations = operations;
    }

    public void mount(Router.Builder router) {
        router.get("/openapi.json", exchange -> Answer.json(200, description).with("Cache-Control", CACHE));
        router.get("/", exchange -> Answer.json(200, index()).with("Cache-Control", CACHE));
    }

    private String index() {
        return JsonWriter.object(json -> json.text("name", "Porchlight").object("links", links -> {
            links.text("api", "/openapi.json").text("keys", "/.well-known/jwks.json");
            if (operations) {
                links.text("health", "/health/ready").text("metrics", "/metrics");
            }
        }));
    }

    private static byte[] read() {
        try (InputStream file = DescriptionRoutes.class.getResourceAsStream("openapi.json")) {
            return Objects.requireNonNull(file, "openapi.json is not in the jar")
                    .readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
