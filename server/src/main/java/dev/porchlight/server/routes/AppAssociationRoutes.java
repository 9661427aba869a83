// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.config.AndroidApp;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The documents by which Android and iOS let apps use the passkeys of this domain. */
public final class AppAssociationRoutes {
    private static final List<String> RELATIONS =
            List.of("delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds");

    private final String assetLinks;
    private final String appleAssociation;

    /**
     * Creates the routes.
     *
     * @param iosApps application identifiers: team id, dot, bundle id
     */
    public AppAssociationRoutes(List<AndroidApp> androidApps, List<String> iosApps) {
        Map<String, List<String>> fingerprints = new LinkedHashMap<>();
        androidApps.forEach(app -> fingerprints
                .computeIfAbsent(app.packageName(), unused -> new ArrayList<>())
                .add(app.fingerprint()));
        assetLinks = fingerprints.entrySet().stream()
                .map(app -> JsonWriter.object(json -> json.texts("relation", RELATIONS)
                        .object(
                                "target",
                                target -> target.text("namespace", "android_app")
                                        .text("package_name", app.getKey())
                                        .texts("sha256_cert_fingerprints", app.getValue()))))
                .collect(Collectors.joining(",", "[", "]"));
        appleAssociation =
                JsonWriter.object(json -> json.object("webcredentials", apps -> apps.texts("apps", iosApps)));
    }

    public void mount(Router.Builder router) {
        router.get(
                "/.well-known/assetlinks.json",
                Access.PUBLIC,
                exchange -> DocumentRoutes.cached(Response.json(200, assetLinks)));
        router.get(
                "/.well-known/apple-app-site-association",
                Access.PUBLIC,
                exchange -> DocumentRoutes.cached(Response.json(200, appleAssociation)));
    }
}
