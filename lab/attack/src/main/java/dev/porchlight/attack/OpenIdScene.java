// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final int MOST_TRIES = 20;

    /** Registers the clients; null if the service does not let this caller register them. */
    static @Nullable OpenIdScene set(Scene scene) {
        CredentialKey key = KeyAlgorithm.ES256.generate(new SecureRandom());
        JsonObject keys = new JsonObject().put("keys", List.of(Jwt.jwk(key).put("kid", "1")));
        List<JsonObject> settings = List.of(
                new JsonObject().put("logoutUris", List.of(LOGOUT_URI)),
                new JsonObject(),
                new JsonObject().put("consent", true),
                new JsonObject().put("public", true),
                new JsonObject().put("jwks", keys));
        List<OpenIdClient> clients = new ArrayList<>();
        for (JsonObject one : settings) {
            OpenIdClient client = register(scene, one.has("public") ? LOOPBACK_URI : APP_URI, one);
            if (client == null) {
                clients.forEach(it -> remove(scene, it));
                return null;
            }
            clients.add(client);
        }
        JsonObject discovery = new JsonObject();
        // Instances look for their first client every few seconds.
        for (int i = 0, found = 0; i < MOST_TRIES && found < 2; i++) {
            discovery = scene.target().get("/.well-known/openid-configuration").jsonIfAny();
            found = discovery.has("issuer") ? found + 1 : 0;
            if (found == 0) {
                Target.sleep(TimeUnit.SECONDS.toNanos(1));
            }
        }
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

    private static @Nullable OpenIdClient register(Scene scene, String redirectUri, JsonObject settings) {
        String id = "attack-" + UUID.randomUUID();
        String body = settings.put("clientId", id)
                .put("name", "Attack")
                .put("redirectUris", List.of(redirectUri))
                .toString();
        TestResponse response = admin(scene).post(OpenIdClient.CLIENTS, body);
        String secret = response.jsonIfAny().string("clientSecret", "");
        String verifier = UUID.randomUUID() + "-" + UUID.randomUUID();
        return response.status() != 201
                ? null
                : new OpenIdClient(
                        new Web(scene.target()),
                        id,
                        secret.isEmpty() ? null : secret,
                        redirectUri,
                        "openid profile offline_access",
                        verifier);
    }

    private static void remove(Scene scene, OpenIdClient client) {
        admin(scene).delete(OpenIdClient.CLIENTS + '/' + client.id());
    }

    static Web admin(Scene scene) {
        Web web = new Web(scene.target());
        return scene.adminToken() == null ? web : web.bearer(scene.adminToken());
    }

    /** A parameter in the query of a redirect; null if it is missing. */
    static @Nullable String parameter(TestResponse response, String name) {
        Matcher matcher =
                Pattern.compile("[?&]" + name + "=([^&#\"]*)").matcher(String.valueOf(response.header("Location")));
        return matcher.find() ? URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8) : null;
    }

    Target target() {
        return scene.target();
    }

    /** The browser with the attacker's own session. */
    Web attacker() {
        return browser(scene.attacker().access());
    }

    /** The browser with the victim's session. */
    Web victim() {
        return browser(scene.victim().access());
    }

    /** A browser with a session: tokens do not sign in to clients. */
    Web browser(GrantedAccess access) {
        Web web = new Web(target());
        return access.cookie() == null ? web : web.cookie(access.cookie());
    }

    void clear() {
        List.of(app, other, thirdParty, nativeApp, keyed).forEach(client -> remove(scene, client));
    }
}
