// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.config.AndroidApp;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.token.KeyRing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Public documents: JWKS, related origins, passkey endpoints, the API description, and the documents by which Android and iOS let
 * apps use the passkeys of this domain.
 */
public final class DocumentRoutes {
    private static final List<String> RELATIONS =
            List.of("delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds");

    private final Config config;
    private final List<String> pageOrigins;
    private final KeyRing keys;
    private final ApiDescription description;

    /**
     * The routes of a service.
     *
     * @param all the routes on all ports, which the API description lists
     */
    public DocumentRoutes(Config config, List<String> pageOrigins, KeyRing keys, List<Router.Builder> all) {
        this.config = config;
        this.pageOrigins = pageOrigins;
        this.keys = keys;
        this.description = new ApiDescription(all);
    }

    public void mount(Router.Builder router) {
        String account = config.relyingParty().origin() + "/account";
        // Applications in browsers verify ID tokens, so any page may read the keys, as the metadata beside them.
        mount(
                router,
                "jwks.json",
                () -> Response.of(200, "application/jwk-set+json", keys.publishedJson())
                        .with("Access-Control-Allow-Origin", "*"));
        mount(router, "webauthn", JsonWriter.object(json -> json.texts("origins", pageOrigins)));
        mount(
                router,
                "passkey-endpoints",
                JsonWriter.object(json -> json.text("enroll", account).text("manage", account)));
        mount(router, "assetlinks.json", assetLinks(config.get(Settings.ANDROID_APPS)));
        List<String> iosApps = config.get(Settings.IOS_APPS);
        mount(
                router,
                "apple-app-site-association",
                JsonWriter.object(json -> json.object("webcredentials", apps -> apps.texts("apps", iosApps))));
        router.get("/openapi.json", Access.DESCRIPTION, exchange -> cached(Response.json(200, description.json())));
    }

    private static void mount(Router.Builder router, String name, String json) {
        mount(router, name, () -> Response.json(200, json));
    }

    private static void mount(Router.Builder router, String name, Supplier<Response> document) {
        router.get("/.well-known/" + name, Access.PUBLIC, exchange -> cached(document.get()));
    }

    private static Response cached(Response response) {
        return response.with("Cache-Control", "public, max-age=" + KeyRing.MAX_CACHED.toSeconds());
    }

    private static String assetLinks(List<AndroidApp> apps) {
        Map<String, List<String>> fingerprints = apps.stream()
                .collect(Collectors.groupingBy(
                        AndroidApp::packageName,
                        LinkedHashMap::new,
                        Collectors.mapping(AndroidApp::fingerprint, Collectors.toList())));
        return fingerprints.entrySet().stream()
                .map(app -> JsonWriter.object(json -> json.texts("relation", RELATIONS)
                        .object(
                                "target",
                                target -> target.text("namespace", "android_app")
                                        .text("package_name", app.getKey())
                                        .texts("sha256_cert_fingerprints", app.getValue()))))
                .collect(Collectors.joining(",", "[", "]"));
    }
}
