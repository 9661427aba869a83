// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.people.Claims;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.Profiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a client learns about a user as known now, by the scopes of the sign-in. Thread-safe. */
public final class UserClaims {
    /** The claims of both scopes. */
    public static final String NAMES =
            "preferred_username name given_name family_name locale picture updated_at" + " email email_verified";

    private final Sql sql;

    public UserClaims(Sql sql) {
        this.sql = sql;
    }

    /**
     * What a client learns.
     *
     * @param claims from the profile by name, in their order
     * @param groups by name; empty unless the scope has them
     */
    record Known(Map<String, Object> claims, List<String> groups) {}

    /**
     * Reads what a client learns.
     *
     * @param displayName the name of a user without one in the profile, or null
     */
    Known of(Client client, Authorization authorization, @Nullable String displayName) {
        boolean wantsGroups = authorization.hasScope(OpenIdTokens.GROUPS);
        boolean wantsProfile = authorization.hasScope(OpenIdTokens.PROFILE);
        boolean wantsEmail = authorization.hasScope(OpenIdTokens.EMAIL);
        if (!wantsGroups && !wantsProfile && !wantsEmail) {
            return new Known(Map.of(), List.of());
        }
        String userId = authorization.userId();
        Profiles.WithGroups found = Profiles.withGroups(sql, userId);
        Profile profile = found.profile();
        Map<String, Object> claims = new LinkedHashMap<>();
        if (wantsProfile) {
            put(claims, "preferred_username", userId);
            put(claims, "name", profile.name() == null ? displayName : profile.name());
            put(claims, "given_name", profile.givenName());
            put(claims, "family_name", profile.familyName());
            put(claims, "locale", profile.locale());
            put(claims, "picture", profile.picture());
            put(claims, "updated_at", profile.isEmpty() ? null : profile.updatedAt() / 1_000);
        }
        if (wantsEmail && profile.email() != null) {
            put(claims, "email", profile.email());
            put(claims, "email_verified", profile.emailVerified());
        }
        if (wantsProfile && !client.settings().claims().isEmpty()) {
            Claims custom = Profiles.claims(sql, userId, profile);
            client.settings()
                    .claims()
                    .forEach(name -> put(claims, name, custom.values().get(name)));
        }
        return new Known(claims, wantsGroups ? found.groups() : List.of());
    }

    private static void put(Map<String, Object> claims, String name, @Nullable Object value) {
        if (value != null) {
            claims.put(name, value);
        }
    }
}
