// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.server.limit.RequestDeadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/** A pool that lets no request wait longer than it may, neither for a connection nor, with it, for an answer. */
final class PatientPool extends HikariDataSource {
    /** Whoever has less left than this does not begin to wait for a server: the pool knows one wait for all. */
    private static final long SHORT = 1_000;

    private final long answer;

    /** A pool whose connections wait so long for an answer, or zero for ever. */
    PatientPool(HikariConfig config, Duration answer) {
        super(config);
        this.answer = answer.toMillis();
    }

    @Override
    public Connection getConnection() throws SQLException {
        long left = RequestDeadline.leftMillis();
        if (left == 0 || answer > 0 && left < SHORT && getHikariPoolMXBean().getIdleConnections() == 0) {
            throw new SQLTransientConnectionException("the request has waited long enough", "08000");
        }
        return shorten(super.getConnection());
    }

    /** The pool undoes it when the connection comes back. */
    private Connection shorten(Connection connection) throws SQLException {
        long left = RequestDeadline.leftMillis();
        if (left < answer) {
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
