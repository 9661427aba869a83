// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.openid.protocol.Refusal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An application that signs users in through this service.
 *
 * @param id the {@code client_id}
 * @param name shown to users
 * @param secretHash SHA-256 of the client secret, which has 256 random bits; null for a client without one
 * @param createdAt in milliseconds since the epoch
 * @param generation how often the settings became stricter, which ends earlier sign-ins
 */
public record Client(
        String id, String name, @Nullable String secretHash, ClientSettings settings, long createdAt, long generation) {

    /** Whether the client can keep no secret: a browser or native application. */
    public boolean isPublic() {
        return secretHash == null && settings.jwks() == null;
    }

    /** Whether authorization requests need PKCE. */
    public boolean needsPkce() {
        return isPublic() || settings.rules().profile() != ClientSettings.Profile.BASIC;
    }

    /** How the client may authenticate, by the names of the standard. */
    public List<String> authenticationMethods() {
        if (secretHash != null) {
            return List.of("client_secret_basic", "client_secret_post");
        }
        return List.of(isPublic() ? "none" : "private_key_jwt");
    }

    /** Whether only members of some groups may sign in to the client. */
    boolean isLimited() {
        return !settings.groups().isEmpty();
    }

    /** Why a member of these groups may not use the client, or null. */
    @Nullable
    Refusal refusal(Refusal.Reason reason, List<String> memberOf) {
        return !isLimited() || settings.groups().stream().anyMatch(memberOf::contains)
                ? null
                : reason.of("groups", "a member of " + String.join(" or ", settings.groups()), "not a member");
    }

    /** Whether the client registered this redirect URI. */
    public boolean accepts(String redirectUri) {
        return RedirectUri.isRegistered(this, redirectUri);
    }

    /** The origins of the client's pages, which may read responses; none for a confidential client. */
    Stream<String> pageOrigins() {
        return isPublic()
                ? settings.redirectUris().stream().flatMap(uri -> RedirectUri.origin(uri).stream())
                : Stream.empty();
    }

    /** Writes what operators may see, with the issuer of its tokens. */
    public void write(JsonWriter json, String issuer) {
        json.text("clientId", id)
                .text("name", name)
                .text("issuer", issuer)
                .bool("public", isPublic())
                .number("createdAt", createdAt);
        settings.write(json);
    }

    /** Compares in constant time. */
    boolean hasSecret(String secret) {
        return secretHash != null && Bytes.ofUtf8(secretHash).equalsInConstantTime(Bytes.ofUtf8(hash(secret)));
    }

    static String hash(String secret) {
        return Bytes.ofUtf8(secret).sha256().base64Url();
    }
}
