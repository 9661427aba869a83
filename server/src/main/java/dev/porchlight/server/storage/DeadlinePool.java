// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.server.limit.RequestDeadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/** A pool that honors the request's deadline when waiting for a connection and for responses. */
final class DeadlinePool extends HikariDataSource {
    private final long responseMillis;

    /** Creates a pool whose connections have this response timeout; zero for none. */
    DeadlinePool(HikariConfig config, Duration responseTimeout) {
        super(config);
        this.responseMillis = responseTimeout.toMillis();
    }

    @Override
    public Connection getConnection() throws SQLException {
        long left = RequestDeadline.leftMillis();
        // The pool has one timeout for all callers.
        if (left == 0
                || responseMillis > 0
                        && left < getConnectionTimeout()
                        && getHikariPoolMXBean().getIdleConnections() == 0) {
            throw new SQLTransientConnectionException(RequestDeadline.EXCEEDED, "08000");
        }
        return shorten(super.getConnection());
    }

    /** Shortens the response timeout. The pool resets it when the connection is returned. */
    private Connection shorten(Connection connection) throws SQLException {
        long left = RequestDeadline.leftMillis();
        if (left < responseMillis) {
            try {
                connection.setNetworkTimeout(Runnable::run, (int) Math.max(1, left));
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        }
        return connection;
    }
}
