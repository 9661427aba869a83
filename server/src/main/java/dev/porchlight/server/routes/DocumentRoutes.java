// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.token.KeyRing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Public documents: JWKS, related origins, passkey endpoints and the API description. */
public final class DocumentRoutes {
    private static final String CACHE = "public, max-age=300";

    private final List<String> pageOrigins;
    private final String origin;
    private final KeyRing keys;

    public DocumentRoutes(List<String> pageOrigins, String origin, KeyRing keys) {
        this.pageOrigins = pageOrigins;
        this.origin = origin;
        this.keys = keys;
    }

    public void mount(Router.Builder router) {
        router.get(
                "/.well-known/jwks.json",
                Access.PUBLIC,
                exchange -> cached(Response.of(200, "application/jwk-set+json", keys.publishedJson())));
        router.get(
                "/.well-known/webauthn",
                Access.PUBLIC,
                exchange -> cached(Response.json(200, json -> json.texts("origins", pageOrigins))));
        router.get(
                "/.well-known/passkey-endpoints",
                Access.PUBLIC,
                exchange -> cached(Response.json(
                        200, json -> json.text("enroll", origin + "/account").text("manage", origin + "/account"))));
        byte[] description = description();
        router.get("/openapi.json", Access.PUBLIC, exchange -> cached(Response.json(200, description)));
    }

    static Response cached(Response response) {
        return response.with("Cache-Control", CACHE);
    }

    private static byte[] description() {
        try (InputStream file = DocumentRoutes.class.getResourceAsStream("openapi.json")) {
            return Objects.requireNonNull(file, "openapi.json is not in the jar")
                    .readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
