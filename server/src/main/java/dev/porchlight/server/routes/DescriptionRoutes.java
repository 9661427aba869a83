// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What the service says of itself to machines: {@code GET /openapi.json}. */
public final class DescriptionRoutes {
    private static final String CACHE = "public, max-age=300";

    private final byte[] description;

    public DescriptionRoutes() {
        description = read();
    }

    public void mount(Router.Builder router) {
        router.get("/openapi.json", exchange -> Answer.json(200, description).with("Cache-Control", CACHE));
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
