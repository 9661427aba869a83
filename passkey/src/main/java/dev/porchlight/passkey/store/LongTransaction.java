// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A transaction that may take long, and wait for whoever it reads from or writes to, on a connection whose bounds are made
 * for requests. For one thread.
 */
final class LongTransaction {
    private static final int ANSWER_MILLIS = 60_000;

    private final Connection connection;
    private final boolean autoCommit;
    private final int formerAnswerMillis;

    private LongTransaction(Connection connection, boolean autoCommit, int formerAnswerMillis) {
        this.connection = connection;
        this.autoCommit = autoCommit;
        this.formerAnswerMillis = formerAnswerMillis;
    }

    static boolean isOnPostgres(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }

    /** Begins one. PostgreSQL ends transactions that idle for long, if it was told so, and statements that take long. */
    static LongTransaction begin(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        if (!isOnPostgres(connection)) {
            return new LongTransaction(connection, autoCommit, ANSWER_MILLIS);
        }
        var begun = new LongTransaction(connection, autoCommit, connection.getNetworkTimeout());
        try {
            connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
            Sql.update(connection, "SET LOCAL idle_in_transaction_session_timeout = 0");
            Sql.update(connection, "SET LOCAL statement_timeout = " + ANSWER_MILLIS);
            return begun;
        } catch (SQLException e) {
            begun.undo();
            throw e;
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    /** Undoes what was not committed, and leaves the connection as it was. */
    void undo() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(autoCommit);
        if (formerAnswerMillis != ANSWER_MILLIS) {
            connection.setNetworkTimeout(Runnable::run, formerAnswerMillis);
        }
    }
}
