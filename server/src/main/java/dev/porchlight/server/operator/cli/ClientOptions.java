// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

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

    @Option(names = "--id-token-algorithm", paramLabel = "ALGORITHM", description = "ES256 or RS256")
    private @Nullable String algorithm;

    @Option(names = "--session", paramLabel = "HOURS", description = "for how many hours a sign-in can be refreshed")
    private @Nullable Integer hours;

    @Option(names = "--third-party", negatable = true, description = "users must agree before their first sign-in")
    private @Nullable Boolean thirdParty;

    @Option(
            names = "--jwks",
            paramLabel = "FILE",
            description = "the client's public keys, for private_key_jwt instead of a secret")
    private @Nullable Path jwks;

    String name(String otherwise) {
        return Objects.requireNonNullElse(name, otherwise);
    }

    boolean hasGroups() {
        return groups != null;
    }

    /** Whether no option is given. */
    boolean isEmpty() {
        return Stream.of(name, logoutUris, backChannelLogoutUri, groups, algorithm, hours, thirdParty, jwks)
                .allMatch(Objects::isNull);
    }

    /** Settings with the options that are given. */
    ClientSettings in(ClientSettings before, @Nullable List<String> redirectUris) throws IOException {
        return new ClientSettings(
                Objects.requireNonNullElse(redirectUris, before.redirectUris()),
                Objects.requireNonNullElse(logoutUris, before.logoutUris()),
                backChannelLogoutUri == null ? before.backChannelLogoutUri() : backChannelLogoutUri,
                Objects.requireNonNullElse(algorithm, before.idTokenAlgorithm()),
                Objects.requireNonNullElse(groups, before.groups()),
                hours == null ? before.refreshLifetime() : Duration.ofHours(hours),
                Objects.requireNonNullElse(thirdParty, before.consent()),
                jwks == null ? before.jwks() : Files.readString(jwks));
    }
}
