// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.openid.client.ClientSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The client that a common application needs, and the settings of that application. Each is a file in {@code recipes}: lines
 * with a name and a value, an empty line, and the settings, with placeholders.
 *
 * @param values by name: {@code title}, where the settings belong ({@code place}) in which {@code language}, the
 *     URIs of the client, whether it is {@code public}, and a {@code note}
 * @param settings of the application
 */
record Recipe(Map<String, List<String>> values, String settings) {
    static final String NAMES = "apache, argocd, gitlab, grafana, jenkins, keycloak, kubernetes, nextcloud, nginx,"
            + " oauth2-proxy, proxmox, spring-boot, vault";

    private static final String AUTHORITY = "(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?";

    /** Without characters that mean something in the settings of an application. */
    private static final Pattern URL = Pattern.compile(
            "https://[A-Za-z0-9.-]+" + AUTHORITY + "|http://(localhost|127\\.0\\.0\\.1|\\[::1])" + AUTHORITY);

    /** Reads a recipe; null if there is none with this name. */
    static @Nullable Recipe find(String name) throws IOException {
        if (!List.of(NAMES.split(", ", -1)).contains(name)) {
            return null;
        }
        try (InputStream file = Objects.requireNonNull(Recipe.class.getResourceAsStream("recipes/" + name + ".txt"))) {
            String[] parts = new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n\n", 2);
            Map<String, List<String>> values = new HashMap<>();
            for (String line : parts[0].split("\n", -1)) {
                String[] entry = line.split(": ", 2);
                values.computeIfAbsent(entry[0], key -> new ArrayList<>()).add(entry[1]);
            }
            return new Recipe(values, parts[1]);
        }
    }

    static boolean isUrl(String url) {
        return URL.matcher(url).matches();
    }

    /** The first value with this name; empty if there is none. */
    String value(String name) {
        List<String> found = values.getOrDefault(name, List.of());
        return found.isEmpty() ? "" : found.get(0);
    }

    boolean isPublic() {
        return values.containsKey("public");
    }

    boolean needsUrl() {
        return value("redirect-uri").contains("{url}");
    }

    /** The settings of the client for an application at this URL. */
    ClientSettings client(String url) throws MalformedException {
        return ClientSettings.of(List.of())
                .with(JsonObject.parse(
                        JsonWriter.object(json -> {
                            json.texts("redirectUris", uris("redirect-uri", url))
                                    .texts("logoutUris", uris("logout-uri", url));
                            uris("back-channel-logout-uri", url).forEach(uri -> json.text("backChannelLogoutUri", uri));
                        }),
                        "recipe"));
    }

    private List<String> uris(String name, String url) {
        return values.getOrDefault(name, List.of()).stream()
                .map(uri -> uri.replace("{url}", url))
                .toList();
    }

    /** What to enter where, for a registered client. */
    String instructions(String url, String issuer, String clientId, @Nullable String secret) {
        String note = value("note").isEmpty() ? "" : value("note") + "\n\n";
        return ("Settings of " + value("title") + ", for " + value("place") + ":\n\n" + note + settings)
                .replace("{url}", url)
                .replace("{issuer}", issuer)
                .replace("{clientId}", clientId)
                .replace("{clientSecret}", secret == null ? "" : secret);
    }
}
