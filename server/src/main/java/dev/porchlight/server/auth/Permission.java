// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import java.util.Locale;
import java.util.Set;

/** What a route for operators needs, and the roles that have it. The API reference lists them for all routes. */
public enum Permission {
    /** Read users, groups, ceremonies and the audit log. */
    READ(Role.OWNER, Role.OPERATOR, Role.SUPPORT, Role.AUDITOR),
    /** Read clients, operators and tokens, without their secrets. */
    SETTINGS(Role.OWNER, Role.OPERATOR, Role.AUDITOR),
    /** Help users: enroll them, sign them out, explain their failed ceremonies. */
    SUPPORT(Role.OWNER, Role.OPERATOR, Role.SUPPORT),
    /** Change users, groups and clients. */
    MANAGE(Role.OWNER, Role.OPERATOR),
    /** Change operators, tokens and secrets. */
    OWN(Role.OWNER);

    @SuppressWarnings("ImmutableEnumChecker") // Set.of
    private final Set<Role> roles;

    Permission(Role... roles) {
        this.roles = Set.of(roles);
    }

    public Set<Role> roles() {
        return roles;
    }

    /** The name in responses. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
