// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.token.KeyRing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.stream.Stream;

/** Public documents: keys, related origins, where passkeys are managed, and the API description. */
final class DocumentRoutes {
    private static final String CACHE = "public, max-age=300";

    private final PasskeyConfig config;
    private final KeyRing keys;

    DocumentRoutes(PasskeyConfig config, KeyRing keys) {
        this.config = config;
        this.keys = keys;
    }

    void mount(Router.Builder router) {
        router.get(
                "/.well-known/jwks.json",
                Access.PUBLIC,
                exchange -> cached(Response.of(200, "application/jwk-set+json", keys.publishedJson())));
        router.get("/.well-known/webauthn", Access.PUBLIC, exchange -> cached(Response.json(200, this::origins)));
        router.get(
                "/.well-known/passkey-endpoints",
                Access.PUBLIC,
                exchange -> cached(Response.json(200, this::endpoints)));
        byte[] description = description();
        router.get("/openapi.json", Access.PUBLIC, exchange -> cached(Response.json(200, description)));
    }

    private void origins(JsonWriter json) {
        json.texts(
                "origins",
                Stream.concat(
                                Stream.of(config.origin()),
                                config.relatedOrigins().stream().sorted())
                        .filter(origin -> origin.startsWith("http"))
                        .toList());
    }

    private void endpoints(JsonWriter json) {
        json.text("enroll", config.origin() + "/account").text("manage", config.origin() + "/account");
    }

    private static Response cached(Response response) {
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
