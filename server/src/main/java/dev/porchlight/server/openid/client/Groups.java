// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.storage.UserGroups;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What the groups of a user mean to clients. Thread-safe. */
public final class Groups {
    private final Sql sql;

    public Groups(Sql sql) {
        this.sql = sql;
    }

    /** Why a user may not use a client that is limited to groups, or null. */
    public @Nullable Refusal refusal(Client client, String userId, Refusal.Reason reason) {
        return client.isLimited() ? client.refusal(reason, UserGroups.of(sql, userId)) : null;
    }

    /** The same as a transaction sees it. */
    public static @Nullable Refusal refusal(Connection connection, Client client, String userId, Refusal.Reason reason)
            throws SQLException {
        return client.isLimited() ? client.refusal(reason, UserGroups.of(connection, userId)) : null;
    }
}
