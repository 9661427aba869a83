// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import dev.porchlight.base.DisplayText;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds, changes and removes clients and groups, each with its audit row. Thread-safe. */
public final class ClientAdministration {
    private static final Duration MAX_REFRESH = Duration.ofDays(365);
    private static final Set<String> ALGORITHMS = Set.of("ES256", "RS256");
    private static final int MIN_RSA_BITS = 2_048;
    private static final int MAX_NAME = 100;
    private static final int MAX_URIS = 20;
    private static final int MAX_JWKS = 16_384;

    private final Units units;
    private final Clients clients;
    private final String operator;
    private final InstantSource clock;

    /**
     * An administration.
     *
     * @param operator the label of the operator's credential in audit rows
     */
    public ClientAdministration(Units units, Clients clients, String operator, InstantSource clock) {
        this.units = units;
        this.clients = clients;
        this.operator = operator;
        this.clock = clock;
    }

    /** A registered client with its new secret, which is not stored; null for a public client. */
    public record Registration(Client client, @Nullable String secret) {}

    /**
     * What is wrong with a client's settings, a sentence each; empty if nothing is.
     *
     * @param keysForbidden whether the client must not have keys, because it is public or has a secret
     * @param ownAudience the audience of the service's own tokens, which the tokens of no client may have
     */
    public static List<String> problems(
            String id, String name, ClientSettings settings, boolean keysForbidden, String ownAudience) {
        List<String> problems = problems(id, name, settings, keysForbidden);
        require(
                problems,
                !id.equals(ownAudience),
                "The id must not be RP_ID, the audience of the service's own tokens.");
        return problems;
    }

    private static List<String> problems(String id, String name, ClientSettings settings, boolean keysForbidden) {
        List<String> problems = new ArrayList<>();
        require(
                problems,
                Clients.ID.matcher(id).matches(),
                "The id must have 1 to 64 characters of a-z, 0-9, '.', '_', '-'.");
        require(
                problems,
                !name.isBlank()
                        && name.length() <= MAX_NAME
                        && name.codePoints().noneMatch(DisplayText::isInvisible),
                "The name must have 1 to " + MAX_NAME + " visible characters.");
        require(
                problems,
                !settings.redirectUris().isEmpty() && settings.redirectUris().size() <= MAX_URIS,
                "At least 1 and at most " + MAX_URIS + " redirect URIs are needed.");
        require(
                problems,
                settings.logoutUris().size() <= MAX_URIS,
                "At most " + MAX_URIS + " logout URIs are possible.");
        settings.redirectUris().forEach(uri -> requireUri(problems, "Redirect URI", uri));
        settings.logoutUris().forEach(uri -> requireUri(problems, "Logout URI", uri));
        String backChannel = settings.backChannelLogoutUri();
        if (backChannel != null) {
            requireUri(problems, "Back-channel logout URI", backChannel);
            require(
                    problems,
                    backChannel.startsWith("https://") || backChannel.startsWith("http://"),
                    "The back-channel logout URI must be https.");
        }
        require(
                problems,
                ALGORITHMS.contains(settings.idTokenAlgorithm()),
                "The ID token algorithm must be ES256 or RS256.");
        settings.groups()
                .forEach(group -> require(
                        problems, Groups.NAME.matcher(group).matches(), "'" + group + "' is not a valid group name."));
        Duration refresh = settings.refreshLifetime();
        require(
                problems,
                refresh.compareTo(Duration.ofMinutes(1)) >= 0 && refresh.compareTo(MAX_REFRESH) <= 0,
                "The session lifetime must be between one minute and 365 days.");
        require(
                problems,
                settings.jwks() == null || isKeySet(settings.jwks()),
                "The JWKS must have public keys only, and one for signatures with ES256 or RS256 (2048 bits or more).");
        require(
                problems,
                !keysForbidden || settings.jwks() == null,
                "A public client, or one with a secret, has no keys.");
        return problems;
    }

    /**
     * Registers a client; nothing if the id is taken.
     *
     * @param isPublic whether it gets no secret
     * @throws IllegalArgumentException if {@link #problems} has any
     */
    public @Nullable Registration add(
            String id, String name, ClientSettings settings, boolean isPublic, String correlationId) {
        List<String> problems = problems(id, name, settings, isPublic);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(" ", problems));
        }
        String secret = isPublic || settings.jwks() != null ? null : clients.newSecret();
        Client client = new Client(id, name, secret == null ? null : Client.hash(secret), settings, clock.millis(), 0);
        boolean added = commit(
                "add a client", event(AuditAction.CLIENT_ADDED, id, correlationId), it -> Clients.add(it, client));
        clients.changed();
        return added ? new Registration(client, secret) : null;
    }

    /**
     * Replaces the name and the settings; false if the client was changed or removed since it was read. How the client
     * authenticates cannot change: it has a secret, keys or neither.
     *
     * @throws IllegalArgumentException if {@link #problems} has any
     */
    public boolean change(Client client, String name, ClientSettings settings, String correlationId) {
        List<String> problems =
                problems(client.id(), name, settings, client.settings().jwks() == null);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(" ", problems));
        }
        List<String> members = new ArrayList<>(settings.changedSince(client.settings()));
        if (!name.equals(client.name())) {
            members.add(0, "name");
        }
        if (members.isEmpty()) {
            return true;
        }
        boolean changed = commit(
                "change a client",
                event(AuditAction.CLIENT_CHANGED, client.id(), correlationId).withChanges(members),
                it -> Clients.change(it, client, name, settings));
        clients.changed();
        return changed;
    }

    /** Replaces the secret of a confidential client and returns the new one; null if there is no such client. */
    public @Nullable String rotateSecret(String id, String correlationId) {
        Client client = clients.find(id);
        if (client == null || client.secretHash() == null) {
            return null;
        }
        String secret = clients.newSecret();
        return commit(
                        "replace a client secret",
                        event(AuditAction.CLIENT_SECRET_ROTATED, id, correlationId),
                        it -> Clients.replaceSecret(it, id, Client.hash(secret)))
                ? secret
                : null;
    }

    /** Removes a client and ends everything it was granted; false if there is no such client. */
    public boolean remove(String id, String correlationId) {
        return commit(
                "remove a client", event(AuditAction.CLIENT_REMOVED, id, correlationId), it -> Clients.remove(it, id));
    }

    /** The result of adding a user to a group. */
    public enum JoinResult {
        ADDED,
        ALREADY_MEMBER,
        UNKNOWN_USER
    }

    /**
     * Adds a user to a group. The user must be registered or invited: anyone who later signs up with an unknown name would be
     * a member.
     */
    public JoinResult addToGroup(String group, String userId, String correlationId) {
        return units.commit("add to a group", new Unit<JoinResult>() {
            @Override
            public JoinResult write(Connection connection) throws SQLException {
                if (!TakenNames.holds(connection, userId)) {
                    return JoinResult.UNKNOWN_USER;
                }
                return Groups.add(connection, group, userId) ? JoinResult.ADDED : JoinResult.ALREADY_MEMBER;
            }

            @Override
            public @Nullable AuditEvent event(JoinResult joined) {
                return joined == JoinResult.ADDED
                        ? AuditEvent.byOperator(AuditAction.GROUP_MEMBER_ADDED, userId, operator, correlationId)
                                .withGroup(group)
                        : null;
            }
        });
    }

    /** Removes a user from a group; false if the user is not a member. */
    public boolean removeFromGroup(String group, String userId, String correlationId) {
        return commit(
                "remove from a group",
                AuditEvent.byOperator(AuditAction.GROUP_MEMBER_REMOVED, userId, operator, correlationId)
                        .withGroup(group),
                it -> Groups.remove(it, group, userId));
    }

    /** A change; false if there was nothing to change. */
    @FunctionalInterface
    private interface Change {
        boolean write(Connection connection) throws SQLException;
    }

    private AuditEvent event(AuditAction action, String clientId, String correlationId) {
        return AuditEvent.byOperator(action, "", operator, correlationId).withClient(clientId);
    }

    private boolean commit(String what, AuditEvent event, Change change) {
        return units.commit(what, new Unit<Boolean>() {
            @Override
            public Boolean write(Connection connection) throws SQLException {
                return change.write(connection);
            }

            @Override
            public @Nullable AuditEvent event(Boolean done) {
                return done ? event : null;
            }
        });
    }

    private static void requireUri(List<String> problems, String name, String uri) {
        RedirectUri.problem(uri).ifPresent(problem -> problems.add(name + " " + uri + " " + problem + "."));
    }

    private static void require(List<String> problems, boolean holds, String problem) {
        if (!holds) {
            problems.add(problem);
        }
    }

    private static boolean isStrong(JWK key) {
        return !key.isPrivate() && (!KeyType.RSA.equals(key.getKeyType()) || key.size() >= MIN_RSA_BITS);
    }

    private static boolean isKeySet(String jwks) {
        try {
            JWKSet keys = JWKSet.parse(jwks);
            return jwks.length() <= MAX_JWKS
                    && keys.getKeys().stream().allMatch(ClientAdministration::isStrong)
                    && keys.getKeys().stream().anyMatch(ClientAuthenticator::isForAssertions);
        } catch (ParseException e) {
            return false;
        }
    }
}
