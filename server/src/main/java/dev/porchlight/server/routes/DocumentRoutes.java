// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.token.KeyRing;
import java.util.List;

/** Public documents: JWKS, related origins, passkey endpoints and the API description. */
public final class DocumentRoutes {
    private static final String CACHE = "public, max-age=300";

    private final List<String> pageOrigins;
    private final String origin;
    private final KeyRing keys;
    private final ApiDescription description;

    /**
     * The routes of a service.
     *
     * @param all the routes on all ports, which the API description lists
     */
    public DocumentRoutes(List<String> pageOrigins, String origin, KeyRing keys, List<Router.Builder> all) {
        this.pageOrigins = pageOrigins;
        this.origin = origin;
        this.keys = keys;
        this.description = new ApiDescription(all);
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
        router.get("/openapi.json", Access.DESCRIPTION, exchange -> cached(Response.json(200, description.json())));
    }

    static Response cached(Response response) {
        return response.with("Cache-Control", CACHE);
    }
}
