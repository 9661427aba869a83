// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.JsonObject;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The temporary clients of an attack on OpenID Connect. Not thread-safe.
 *
 * @param app a web application with a secret
 * @param other another one, which belongs to the attacker
 * @param thirdParty one that needs the user's consent
 * @param nativeApp a public client with a loopback redirect
 * @param keyed a client that authenticates with a key
 * @param key the key of {@code keyed}
 * @param issuer the service's issuer
 */
record OpenIdScene(
        Scene scene,
        OpenIdClient app,
        OpenIdClient other,
        OpenIdClient thirdParty,
        OpenIdClient nativeApp,
        OpenIdClient keyed,
        CredentialKey key,
        String issuer) {
    static final String APP_URI = "https://app.example/callback";
    static final String LOOPBACK_URI = "http://127.0.0.1/callback";
    static final String LOGOUT_URI = "https://app.example/signed-out";

    /** Registers the clients; null if the service does not let this caller register them. */
    static @Nullable OpenIdScene set(Scene scene) {
        CredentialKey key = KeyAlgorithm.ES256.generate(new SecureRandom());
        JsonObject keys = new JsonObject().put("keys", List.of(Jwt.jwk(key).put("kid", "1")));
        List<JsonObject> settings = List.of(
                new JsonObject().put("logoutUris", List.of(LOGOUT_URI)),
                new JsonObject(),
                new JsonObject().put("consent", true),
                new JsonObject().put("public", true),
                new JsonObject().put("jwks", keys.toString()));
        List<OpenIdClient> clients = new ArrayList<>();
        for (JsonObject one : settings) {
            OpenIdClient client = OpenIdClient.register(scene, one.has("public") ? LOOPBACK_URI : APP_URI, one);
            if (client == null) {
                clients.forEach(it -> it.remove(scene));
                return null;
            }
            clients.add(client);
        }
        JsonObject discovery =
                scene.target().get("/.well-known/openid-configuration").json();
        return new OpenIdScene(
                scene,
                clients.get(0),
                clients.get(1),
                clients.get(2),
                clients.get(3),
                clients.get(4),
                key,
                discovery.string("issuer", ""));
    }

    Target target() {
        return scene.target();
    }

    /** The headers of the attacker's own session. */
    String[] attacker() {
        return browser(scene.attacker().access());
    }

    /** The headers of the victim's session, as the victim's browser sends them. */
    String[] victim() {
        return browser(scene.victim().access());
    }

    /** The headers of a browser with a session: tokens do not sign in to clients. */
    static String[] browser(GrantedAccess access) {
        return access.all().getOrDefault("session", new String[0]);
    }

    void clear() {
        List.of(app, other, thirdParty, nativeApp, keyed).forEach(client -> client.remove(scene));
    }
}
