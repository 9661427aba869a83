// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.openid.OpenIdPorts.GrantChecks;
import java.sql.Connection;
import java.sql.SQLException;

/** Checks for OpenID Connect whether a sign-in is still valid. Thread-safe. */
final class OpenIdGrants implements GrantChecks {
    private final Grants grants;

    OpenIdGrants(Grants grants) {
        this.grants = grants;
    }

    @Override
    public boolean isValid(Connection connection, Grant grant) throws SQLException {
        return Grants.isValid(connection, grant);
    }

    @Override
    public Grant lasting(Connection connection, Grant grant) throws SQLException {
        return Grants.withGeneration(connection, grant);
    }

    @Override
    public boolean isValid(Grant grant) {
        return grants.isValid(grant);
    }
}
