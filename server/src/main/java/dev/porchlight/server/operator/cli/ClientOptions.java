// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.openid.client.ClientSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that {@code clients add} and {@code clients change} share. A setting without its option stays as it is. */
final class ClientOptions {
    @Option(names = "--name", paramLabel = "NAME", description = "the name that users see")
    private @Nullable String name;

    @Option(
            names = "--logout-uri",
            paramLabel = "URI",
            description = "where users may return to after sign-out; can be repeated")
    private @Nullable List<String> logoutUris;

    @Option(
            names = "--back-channel-logout-uri",
            paramLabel = "URI",
            description = "receives a logout token when a session ends")
    private @Nullable String backChannelLogoutUri;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "only members of this group may sign in; can be repeated")
    private @Nullable List<String> groups;

    @Option(
            names = "--claims",
            paramLabel = "NAMES",
            split = ",",
            description = "the custom claims that the application receives, comma-separated; empty for none")
    private @Nullable List<String> claims;

    @Option(names = "--id-token-algorithm", paramLabel = "ALGORITHM", description = "ES256 or RS256")
    private @Nullable String algorithm;

    @Option(names = "--session", paramLabel = "HOURS", description = "for how many hours a sign-in can be refreshed")
    private @Nullable Integer hours;

    @Option(names = "--third-party", negatable = true, description = "users must agree before their first sign-in")
    private @Nullable Boolean thirdParty;

    @Option(
            names = "--jwks",
            paramLabel = "FILE",
            description = "the application's public keys, for private_key_jwt instead of a secret")
    private @Nullable Path jwks;

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            description =
                    "default; basic for an application that cannot send PKCE; or fapi2 for pushed requests and DPoP")
    private @Nullable String profile;

    @Option(
            names = "--require-pushed-requests",
            negatable = true,
            description = "authorization requests must be pushed first")
    private @Nullable Boolean pushedRequests;

    @Option(
            names = "--require-dpop",
            negatable = true,
            description = "tokens must be bound to a key of the application")
    private @Nullable Boolean dpop;

    @Option(
            names = "--endpoint-audience",
            negatable = true,
            description = "client assertions may be addressed to an endpoint instead of the issuer, as Spring does")
    private @Nullable Boolean endpointAudience;

    String name(String otherwise) {
        return Objects.requireNonNullElse(name, otherwise);
    }

    boolean hasGroups() {
        return groups != null;
    }

    /** Whether no option is given. */
    boolean isEmpty() {
        return Stream.of(
                        name,
                        logoutUris,
                        backChannelLogoutUri,
                        groups,
                        claims,
                        algorithm,
                        hours,
                        thirdParty,
                        jwks,
                        profile,
                        pushedRequests,
                        dpop,
                        endpointAudience)
                .allMatch(Objects::isNull);
    }

    /** Removes settings, where the options give no others. */
    void clear(boolean logout, boolean backChannel, boolean group) {
        logoutUris = logout && logoutUris == null ? List.of() : logoutUris;
        backChannelLogoutUri = backChannel && backChannelLogoutUri == null ? "" : backChannelLogoutUri;
        groups = group ? List.of() : groups;
    }

    /** Settings with the options that are given, as the API would read them. */
    ClientSettings in(ClientSettings before, @Nullable List<String> redirectUris)
            throws IOException, MalformedException {
        String keys = jwks == null
                ? null
                : JsonObject.parse(Files.readString(jwks), "the JWKS").toJson();
        return before.with(JsonObject.parse(
                JsonWriter.object(json -> json.optionalTexts("redirectUris", redirectUris)
                        .optionalTexts("logoutUris", logoutUris)
                        .optionalTexts("groups", groups)
                        .optionalTexts(
                                "claims",
                                claims == null
                                        ? null
                                        : claims.stream()
                                                .filter(claim -> !claim.isEmpty())
                                                .toList())
                        .optionalText("backChannelLogoutUri", backChannelLogoutUri)
                        .optionalText("idTokenAlgorithm", algorithm)
                        .optionalNumber(
                                "refreshSeconds",
                                hours == null ? null : Duration.ofHours(hours).toSeconds())
                        .optionalJson("jwks", keys)
                        .optionalText("profile", profile)
                        .optionalBool("consent", thirdParty)
                        .optionalBool("requirePushedAuthorizationRequests", pushedRequests)
                        .optionalBool("dpopBoundAccessTokens", dpop)
                        .optionalBool("endpointAudience", endpointAudience)),
                "options"));
    }
}
