// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import dev.porchlight.base.DisplayText;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.openid.client.ClientSettings.Profile;
import dev.porchlight.server.people.Claims;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserGroups;
import java.security.spec.RSAKeyGenParameterSpec;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds, changes and removes clients, each with its audit row. Thread-safe. */
public final class ClientAdministration {
    private static final Duration MAX_REFRESH = Duration.ofDays(365);
    private static final Set<String> ALGORITHMS = Set.of("ES256", "RS256");
    private static final int MIN_RSA_BITS = 2_048;
    private static final int MAX_NAME = 100;
    private static final int MAX_URIS = 20;
    private static final int MAX_CLAIMS = 32;
    private static final int MAX_JWKS = 16_384;

    private final Units units;
    private final Clients clients;
    private final Clients.GrantEnd grants;
    private final InstantSource clock;

    public ClientAdministration(Units units, Clients clients, Clients.GrantEnd grants, InstantSource clock) {
        this.units = units;
        this.clients = clients;
        this.grants = grants;
        this.clock = clock;
    }

    /** A registered client with its new secret, which is not stored; null for a public client. */
    public record Registration(Client client, @Nullable String secret) {}

    /**
     * What is wrong with a client's settings, a sentence each; empty if nothing is.
     *
     * @param ownAudience the audience of the service's own tokens, which the tokens of no client may have
     */
    public static List<String> problems(
            String id, String name, ClientSettings settings, Kind kind, String ownAudience) {
        Problems problems = new Problems(id, name, settings, kind);
        problems.require(
                !id.equals(ownAudience), "The id must not be RP_ID, the audience of the service's own tokens.");
        return problems.sentences;
    }

    /** How a client authenticates, which cannot change. */
    public enum Kind {
        PUBLIC,
        SECRET,
        KEYS;

        /** The kind of a new client. */
        public static Kind of(boolean isPublic, ClientSettings settings) {
            return isPublic ? PUBLIC : settings.jwks() == null ? SECRET : KEYS;
        }

        public static Kind of(Client client) {
            return client.secretHash() != null ? SECRET : of(client.isPublic(), client.settings());
        }
    }

    /** Collects what is wrong with a client's settings, a sentence each. */
    private static final class Problems {
        private final List<String> sentences = new ArrayList<>();

        private Problems(String id, String name, ClientSettings settings, Kind kind) {
            boolean named = !name.isBlank()
                    && name.length() <= MAX_NAME
                    && name.codePoints().noneMatch(DisplayText::isInvisible);
            int redirects = settings.redirectUris().size();
            String back = settings.backChannelLogoutUri();
            Duration refresh = settings.refreshLifetime();
            require(
                    Clients.ID.matcher(id).matches(),
                    "The id must have 1 to 64 characters of a-z, 0-9, '.', '_', '-'.");
            require(named, "The name must have 1 to " + MAX_NAME + " visible characters.");
            require(
                    redirects > 0 && redirects <= MAX_URIS,
                    "At least 1 and at most " + MAX_URIS + " redirect URIs are needed.");
            require(settings.logoutUris().size() <= MAX_URIS, "At most " + MAX_URIS + " logout URIs are possible.");
            settings.redirectUris().forEach(uri -> requireUri("Redirect URI", uri));
            settings.logoutUris().forEach(uri -> requireUri("Logout URI", uri));
            if (back != null) {
                requireUri("Back-channel logout URI", back);
                require(
                        back.startsWith("https://") || back.startsWith("http://"),
                        "The back-channel logout URI must be https.");
            }
            require(ALGORITHMS.contains(settings.idTokenAlgorithm()), "The ID token algorithm must be ES256 or RS256.");
            for (String group : settings.groups()) {
                require(UserGroups.NAME.matcher(group).matches(), "'" + group + "' is not a valid group name.");
            }
            require(settings.claims().size() <= MAX_CLAIMS, "At most " + MAX_CLAIMS + " claims are possible.");
            for (String claim : settings.claims()) {
                require(Claims.fault(claim) == null, "'" + claim + "' is not a valid claim name.");
            }
            require(
                    refresh.compareTo(Duration.ofMinutes(1)) >= 0 && refresh.compareTo(MAX_REFRESH) <= 0,
                    "The session lifetime must be between one minute and 365 days.");
            require(
                    settings.jwks() == null || isKeySet(settings.jwks()),
                    "The JWKS must have public keys only, and one for signatures with ES256, PS256 or RS256 (2048 bits or more, e = 65537).");
            require(
                    kind == Kind.KEYS || settings.jwks() == null,
                    "A public client, or one with a secret, has no keys.");
            require(
                    kind != Kind.PUBLIC || settings.rules().profile() != Profile.BASIC,
                    "A public client always needs PKCE, so it cannot have the profile basic.");
            boolean fapi = settings.rules().profile() == Profile.FAPI2;
            require(!fapi || settings.jwks() != null, "A client with the profile fapi2 needs a JWKS.");
            require(
                    !fapi || settings.idTokenAlgorithm().equals(JWSAlgorithm.ES256.getName()),
                    "ID tokens for the profile fapi2 are signed with ES256.");
            require(
                    !fapi || !settings.rules().endpointAudience(),
                    "A client with the profile fapi2 addresses its assertions to the issuer.");
        }

        private void require(boolean holds, String problem) {
            if (!holds) {
                sentences.add(problem);
            }
        }

        private void requireUri(String name, String uri) {
            RedirectUri.problem(uri).ifPresent(problem -> sentences.add(name + " " + uri + " " + problem + "."));
        }
    }

    private static void requireValid(String id, String name, ClientSettings settings, Kind kind) {
        List<String> problems = new Problems(id, name, settings, kind).sentences;
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(" ", problems));
        }
    }

    /**
     * Registers a client, which inherits nothing from an earlier one of that id; nothing if the id is taken.
     *
     * @param isPublic whether it gets no secret
     * @throws IllegalArgumentException if {@link #problems} has any
     */
    public @Nullable Registration add(String id, String name, ClientSettings settings, boolean isPublic, Actor by) {
        Kind kind = Kind.of(isPublic, settings);
        requireValid(id, name, settings, kind);
        String secret = kind == Kind.SECRET ? clients.newSecret() : null;
        Client client = new Client(id, name, secret == null ? null : Client.hash(secret), settings, clock.millis(), 0);
        boolean added =
                commit("add a client", by, event(AuditAction.CLIENT_ADDED, id), it -> Clients.add(it, client, grants));
        clients.changed();
        return added ? new Registration(client, secret) : null;
    }

    /**
     * Replaces the name and the settings; false if the client was changed or removed since it was read. How the client
     * authenticates cannot change: it has a secret, keys or neither.
     *
     * @throws IllegalArgumentException if {@link #problems} has any
     */
    public boolean change(Client client, String name, ClientSettings settings, Actor by) {
        requireValid(client.id(), name, settings, Kind.of(client));
        List<String> members = new ArrayList<>(settings.changedSince(client.settings()));
        if (!name.equals(client.name())) {
            members.add(0, "name");
        }
        if (members.isEmpty()) {
            return true;
        }
        boolean changed = commit(
                "change a client",
                by,
                event(AuditAction.CLIENT_CHANGED, client.id()).withChanges(members),
                it -> Clients.change(it, client, name, settings));
        clients.changed();
        return changed;
    }

    /** Replaces the secret of a confidential client and returns the new one; null if there is no such client. */
    public @Nullable String rotateSecret(String id, Actor by) {
        Client client = clients.find(id);
        if (client == null || client.secretHash() == null) {
            return null;
        }
        String secret = clients.newSecret();
        return commit(
                        "replace a client secret",
                        by,
                        event(AuditAction.CLIENT_SECRET_ROTATED, id),
                        it -> Clients.replaceSecret(it, id, Client.hash(secret)))
                ? secret
                : null;
    }

    /** Removes a client and ends everything it was granted; false if there is no such client. */
    public boolean remove(String id, Actor by) {
        return commit(
                "remove a client", by, event(AuditAction.CLIENT_REMOVED, id), it -> Clients.remove(it, id, grants));
    }

    private static AuditEvent event(AuditAction action, String clientId) {
        return AuditEvent.of(action, "").withClient(clientId);
    }

    /** Commits a change; false if there was nothing to change. */
    private boolean commit(String what, Actor by, AuditEvent event, Sql.Work<Boolean> change) {
        return units.commit(what, by, Target.NONE, change, done -> done ? event : null);
    }

    private static boolean isStrong(JWK key) {
        return !key.isPrivate()
                && (!(key instanceof RSAKey rsa)
                        || key.size() >= MIN_RSA_BITS
                                && RSAKeyGenParameterSpec.F4.equals(
                                        rsa.getPublicExponent().decodeToBigInteger()));
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
