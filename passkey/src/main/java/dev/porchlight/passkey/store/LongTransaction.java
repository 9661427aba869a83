// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** A long transaction on a connection whose timeouts are tuned for requests. Not thread-safe. */
record LongTransaction(Connection connection, boolean autoCommit, int previousTimeoutMillis) {
    private static final int TIMEOUT_MILLIS = 60_000;

    static boolean isOnPostgres(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }

    /** Begins a transaction. Raises the timeouts of PostgreSQL for idle transactions and for statements. */
    static LongTransaction begin(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        if (!isOnPostgres(connection)) {
            return new LongTransaction(connection, autoCommit, TIMEOUT_MILLIS);
        }
        var begun = new LongTransaction(connection, autoCommit, connection.getNetworkTimeout());
        try {
            connection.setNetworkTimeout(Runnable::run, TIMEOUT_MILLIS);
            Sql.update(connection, "SET LOCAL idle_in_transaction_session_timeout = 0");
            Sql.update(connection, "SET LOCAL statement_timeout = " + TIMEOUT_MILLIS);
            return begun;
        } catch (SQLException e) {
            begun.undo();
            throw e;
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    /** Rolls back what was not committed, and restores the connection's settings. */
    void undo() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(autoCommit);
        if (previousTimeoutMillis != TIMEOUT_MILLIS) {
            connection.setNetworkTimeout(Runnable::run, previousTimeoutMillis);
        }
    }
}
