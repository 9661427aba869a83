// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import java.sql.Connection;
import java.sql.SQLException;

/** Notifies users of changes. Implementations are thread-safe. */
@FunctionalInterface
public interface Notices {
    /** Sends nothing, because no mail server is configured. */
    Notices NONE = (connection, notice, userId) -> {};

    /**
     * Adds a mail to the user within a transaction of the caller, so that it is sent if the transaction is committed. Users
     * without a verified address get none.
     */
    void add(Connection connection, Notice notice, String userId) throws SQLException;

    /** Mails a link to the address that a user gave, which verifies it, within a transaction of the caller. */
    default void addressGiven(Connection connection, String userId) throws SQLException {}
}
