// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import com.nimbusds.jose.JWSAlgorithm;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
 * @param claims the custom claims that the client receives with the scope {@code profile}
 * @param refreshLifetime how long a sign-in can be refreshed without the passkey
 * @param consent whether users must agree to the sign-in, as for an application of a third party
 * @param jwks the public keys for {@code private_key_jwt}, as a JSON object
 * @param rules how strict the protocol is with the client
 */
public record ClientSettings(
        List<String> redirectUris,
        List<String> logoutUris,
        @Nullable String backChannelLogoutUri,
        String idTokenAlgorithm,
        List<String> groups,
        List<String> claims,
        Duration refreshLifetime,
        boolean consent,
        @Nullable String jwks,
        Rules rules) {
    private static final String PROFILE = "profile";
    private static final String PUSHED_REQUESTS = "requirePushedAuthorizationRequests";
    private static final String DPOP = "dpopBoundAccessTokens";
    private static final String ENDPOINT_AUDIENCE = "endpointAudience";
    public static final Duration DEFAULT_REFRESH_LIFETIME = Duration.ofHours(12);

    public ClientSettings {
        redirectUris = List.copyOf(redirectUris);
        logoutUris = List.copyOf(logoutUris);
        groups = List.copyOf(groups);
        claims = List.copyOf(claims);
    }

    /** What a client's library can do. */
    public enum Profile {
        /** PKCE is required. */
        DEFAULT,
        /** For confidential clients that cannot send PKCE. */
        BASIC,
        /** The FAPI 2.0 security profile: pushed requests, and tokens bound to a key. */
        FAPI2;

        public static Profile of(String name) throws MalformedException {
            for (Profile profile : values()) {
                if (profile.toString().equals(name)) {
                    return profile;
                }
            }
            throw new MalformedException("profile", "is not default, basic or fapi2");
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How strict the protocol is with a client. The profile {@link Profile#FAPI2} implies the first two, and excludes the last.
     *
     * @param pushedRequests whether authorization requests must be pushed
     * @param dpop whether tokens must be bound to a key
     * @param endpointAudience whether client assertions may be addressed to an endpoint instead of the issuer
     */
    public record Rules(Profile profile, boolean pushedRequests, boolean dpop, boolean endpointAudience) {
        private static final Rules DEFAULT = new Rules(Profile.DEFAULT, false, false, false);

        public Rules {
            pushedRequests |= profile == Profile.FAPI2;
            dpop |= profile == Profile.FAPI2;
        }

        private Rules with(JsonObject json) throws MalformedException {
            String named = json.optionalText(PROFILE);
            return new Rules(
                    named == null ? profile : Profile.of(named),
                    Objects.requireNonNullElse(json.optionalBool(PUSHED_REQUESTS), pushedRequests),
                    Objects.requireNonNullElse(json.optionalBool(DPOP), dpop),
                    Objects.requireNonNullElse(json.optionalBool(ENDPOINT_AUDIENCE), endpointAudience));
        }

        private boolean isStricterThan(Rules before) {
            return pushedRequests && !before.pushedRequests
                    || dpop && !before.dpop
                    || before.profile == Profile.BASIC && profile != Profile.BASIC
                    || profile == Profile.FAPI2 && before.profile != Profile.FAPI2;
        }
    }

    /** Settings with defaults for everything but the redirect URIs. */
    public static ClientSettings of(List<String> redirectUris) {
        return new ClientSettings(
                redirectUris,
                List.of(),
                null,
                JWSAlgorithm.RS256.getName(),
                List.of(),
                List.of(),
                DEFAULT_REFRESH_LIFETIME,
                false,
                null,
                Rules.DEFAULT);
    }

    /** The members by name; a null value for an absent one. */
    private Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("redirectUris", redirectUris);
        members.put("logoutUris", logoutUris);
        members.put("backChannelLogoutUri", backChannelLogoutUri);
        members.put("idTokenAlgorithm", idTokenAlgorithm);
        members.put("groups", groups);
        members.put("claims", claims);
        members.put("refreshSeconds", refreshLifetime.toSeconds());
        members.put("consent", consent);
        members.put("jwks", jwks);
        members.put(PROFILE, rules.profile());
        members.put(PUSHED_REQUESTS, rules.pushedRequests());
        members.put(DPOP, rules.dpop());
        members.put(ENDPOINT_AUDIENCE, rules.endpointAudience());
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

    /**
     * Whether what was granted under earlier settings must end, for good. Without groups, all users may sign in. Groups and
     * redirect URIs are also compared at each use, but by then a removed one may have been added again.
     */
    boolean isStricterThan(ClientSettings before) {
        return consent && !before.consent()
                || !redirectUris.containsAll(before.redirectUris())
                || !groups.isEmpty() && (before.groups().isEmpty() || !groups.containsAll(before.groups()))
                || refreshLifetime.compareTo(before.refreshLifetime()) < 0
                || rules.isStricterThan(before.rules());
    }

    public void write(JsonWriter json) {
        json.texts("redirectUris", redirectUris).texts("logoutUris", logoutUris);
        json.optionalText("backChannelLogoutUri", backChannelLogoutUri)
                .text("idTokenAlgorithm", idTokenAlgorithm)
                .texts("groups", groups)
                .texts("claims", claims)
                .number("refreshSeconds", refreshLifetime.toSeconds())
                .bool("consent", consent)
                .optionalJson("jwks", jwks)
                .text(PROFILE, rules.profile().toString())
                .bool(PUSHED_REQUESTS, rules.pushedRequests())
                .bool(DPOP, rules.dpop())
                .bool(ENDPOINT_AUDIENCE, rules.endpointAudience());
    }

    /** Reads settings; absent members have their defaults. */
    static ClientSettings read(JsonObject json) throws MalformedException {
        return of(List.of()).with(json);
    }

    /** These settings with the members that are present. An empty back-channel logout URI removes it. */
    public ClientSettings with(JsonObject json) throws MalformedException {
        Long refresh = json.optionalInteger("refreshSeconds");
        String backChannel = Objects.requireNonNullElse(
                json.optionalText("backChannelLogoutUri"), Objects.requireNonNullElse(backChannelLogoutUri, ""));
        JsonObject keys = json.optionalObject("jwks");
        Rules changed = rules.with(json);
        // What FAPI forbids is not kept from before, only refused if it is asked for.
        String algorithm = changed.profile() == Profile.FAPI2 ? JWSAlgorithm.ES256.getName() : idTokenAlgorithm;
        return new ClientSettings(
                texts(json, "redirectUris", redirectUris),
                texts(json, "logoutUris", logoutUris),
                backChannel.isEmpty() ? null : backChannel,
                Objects.requireNonNullElse(json.optionalText("idTokenAlgorithm"), algorithm),
                texts(json, "groups", groups),
                texts(json, "claims", claims),
                refresh == null ? refreshLifetime : Duration.ofSeconds(refresh),
                Objects.requireNonNullElse(json.optionalBool("consent"), consent),
                keys == null ? jwks : keys.toJson(),
                changed);
    }

    private static List<String> texts(JsonObject json, String name, List<String> absent) throws MalformedException {
        return json.names().contains(name) ? json.texts(name) : absent;
    }
}
