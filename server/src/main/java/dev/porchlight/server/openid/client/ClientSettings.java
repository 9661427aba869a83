// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import com.nimbusds.jose.JWSAlgorithm;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a client that an operator chooses.
 *
 * @param redirectUris where users may be sent back to after sign-in
 * @param logoutUris where users may be sent back to after sign-out
 * @param backChannelLogoutUri receives a logout token when a session ends
 * @param idTokenAlgorithm ES256 or RS256
 * @param groups the groups whose members may sign in; empty for all users
 * @param refreshLifetime how long a sign-in can be refreshed without the passkey
 * @param consent whether users must agree to the sign-in, as for an application of a third party
 * @param jwks the public keys for {@code private_key_jwt}, as JSON
 */
public record ClientSettings(
        List<String> redirectUris,
        List<String> logoutUris,
        @Nullable String backChannelLogoutUri,
        String idTokenAlgorithm,
        List<String> groups,
        Duration refreshLifetime,
        boolean consent,
        @Nullable String jwks) {
    public static final Duration DEFAULT_REFRESH_LIFETIME = Duration.ofHours(12);

    public ClientSettings {
        redirectUris = List.copyOf(redirectUris);
        logoutUris = List.copyOf(logoutUris);
        groups = List.copyOf(groups);
    }

    /** Settings with defaults for everything but the redirect URIs. */
    public static ClientSettings of(List<String> redirectUris) {
        return new ClientSettings(
                redirectUris,
                List.of(),
                null,
                JWSAlgorithm.ES256.getName(),
                List.of(),
                DEFAULT_REFRESH_LIFETIME,
                false,
                null);
    }

    /** The members by name; a null value for an absent one. */
    private Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("redirectUris", redirectUris);
        members.put("logoutUris", logoutUris);
        members.put("backChannelLogoutUri", backChannelLogoutUri);
        members.put("idTokenAlgorithm", idTokenAlgorithm);
        members.put("groups", groups);
        members.put("refreshSeconds", refreshLifetime.toSeconds());
        members.put("consent", consent);
        members.put("jwks", jwks);
        return members;
    }

    /** The names of all members. */
    static Set<String> names() {
        return of(List.of()).members().keySet();
    }

    /** The names of the members that differ from earlier settings. */
    List<String> changedSince(ClientSettings before) {
        Map<String, @Nullable Object> earlier = before.members();
        return members().entrySet().stream()
                .filter(member -> !Objects.equals(member.getValue(), earlier.get(member.getKey())))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether what was granted under earlier settings must end. Groups and redirect URIs are compared at each use. */
    boolean isStricterThan(ClientSettings before) {
        return consent && !before.consent() || refreshLifetime.compareTo(before.refreshLifetime()) < 0;
    }

    public void write(JsonWriter json) {
        json.texts("redirectUris", redirectUris).texts("logoutUris", logoutUris);
        json.optionalText("backChannelLogoutUri", backChannelLogoutUri)
                .text("idTokenAlgorithm", idTokenAlgorithm)
                .texts("groups", groups)
                .number("refreshSeconds", refreshLifetime.toSeconds())
                .bool("consent", consent)
                .optionalText("jwks", jwks);
    }

    /** Reads settings; absent members have their defaults. */
    static ClientSettings read(JsonObject json) throws MalformedException {
        return of(List.of()).with(json);
    }

    /** These settings with the members that are present. An empty back-channel logout URI removes it. */
    ClientSettings with(JsonObject json) throws MalformedException {
        Long refresh = json.optionalInteger("refreshSeconds");
        String backChannel = Objects.requireNonNullElse(
                json.optionalText("backChannelLogoutUri"), Objects.requireNonNullElse(backChannelLogoutUri, ""));
        String keys = json.optionalText("jwks");
        return new ClientSettings(
                texts(json, "redirectUris", redirectUris),
                texts(json, "logoutUris", logoutUris),
                backChannel.isEmpty() ? null : backChannel,
                Objects.requireNonNullElse(json.optionalText("idTokenAlgorithm"), idTokenAlgorithm),
                texts(json, "groups", groups),
                refresh == null ? refreshLifetime : Duration.ofSeconds(refresh),
                Objects.requireNonNullElse(json.optionalBool("consent"), consent),
                keys == null ? jwks : keys);
    }

    private static List<String> texts(JsonObject json, String name, List<String> absent) throws MalformedException {
        return json.names().contains(name) ? json.texts(name) : absent;
    }
}
