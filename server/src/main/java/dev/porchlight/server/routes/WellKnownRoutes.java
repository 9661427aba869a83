// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.token.KeyRing;
import java.util.stream.Stream;

/** What standards expect at known places: the public keys, the related origins, where passkeys are managed. */
final class WellKnownRoutes {
    private static final String CACHE = "public, max-age=300";

    private final PasskeyConfig config;
    private final KeyRing keys;

    WellKnownRoutes(PasskeyConfig config, KeyRing keys) {
        this.config = config;
        this.keys = keys;
    }

    void mount(Router.Builder router) {
        router.get(
                "/.well-known/jwks.json",
                exchange -> Answer.of(200, "application/jwk-set+json", keys.publishedJson())
                        .with("Cache-Control", CACHE));
        router.get("/.well-known/webauthn", exchange -> cached(origins()));
        router.get("/.well-known/passkey-endpoints", exchange -> cached(endpoints()));
    }

    private String origins() {
        var web = Stream.concat(
                        Stream.of(config.origin()),
                        config.relatedOrigins().stream().sorted())
                .filter(origin -> origin.startsWith("http"))
                .toList();
        return JsonWriter.object(json -> json.texts("origins", web));
    }

    private String endpoints() {
        return JsonWriter.object(
                json -> json.text("enroll", config.origin() + "/account").text("manage", config.origin() + "/account"));
    }

    private static Answer cached(String json) {
        return Answer.json(200, json).with("Cache-Control", CACHE);
    }
}
