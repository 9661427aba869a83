// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.grant.AuthorizationRows.Entry;
import dev.porchlight.server.openid.grant.AuthorizationRows.Row;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.UsedTokens;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Ends authorizations, and returns those of which clients are notified. Thread-safe.
 *
 * <p>What the clients may have is read after the authorizations. Otherwise a client that was changed in between would lose
 * sign-ins that its new settings allow.
 */
public final class AuthorizationEnds {
    private static final String FIND_BY_OWNER =
            "SELECT " + AuthorizationRows.COLUMNS + " FROM porchlight_openid_authorization WHERE owner = ?";
    private static final String FIND_OF_CLIENT = FIND_BY_OWNER + " AND client_id = ?";
    /** Returns the row as it ends: its code may have been redeemed since it was found. */
    private static final String REMOVE = AuthorizationRows.REMOVE + " RETURNING " + AuthorizationRows.COLUMNS;

    private static final String END_SESSION =
            AuthorizationRows.END + "session = ? RETURNING " + AuthorizationRows.COLUMNS;

    private static final int PAGE = 500;
    private static final String FIND_NEXT = "SELECT " + AuthorizationRows.COLUMNS
            + " FROM porchlight_openid_authorization WHERE authorization_id > ? ORDER BY authorization_id LIMIT "
            + PAGE;
    private static final String FIND_SOME_OF_CLIENT = "SELECT " + AuthorizationRows.COLUMNS
            + " FROM porchlight_openid_authorization WHERE client_id = ? LIMIT " + PAGE;

    private final Authorizations authorizations;
    private final Sql sql;

    public AuthorizationEnds(Authorizations authorizations) {
        this.authorizations = authorizations;
        this.sql = authorizations.sql;
    }

    /** Ends the authorizations of a session, and returns the redeemed ones. */
    public List<Authorization> endSession(String session) {
        return redeemed(readable(sql.query(END_SESSION, authorizations.rows::read, session)));
    }

    /** The same within a transaction of the caller. */
    public List<Authorization> endSession(Connection connection, String session) throws SQLException {
        return redeemed(readable(Sql.query(connection, END_SESSION, authorizations.rows::read, session)));
    }

    /**
     * Ends the authorizations of a user that are no longer valid, and returns the redeemed ones.
     *
     * @param allowed reads whether the client may still have an authorization
     */
    public List<Authorization> endInvalid(String userId, Supplier<Predicate<Authorization>> allowed) {
        List<Entry> entries = authorizations.tokens.owners(userId).stream()
                .flatMap(owner -> sql.query(FIND_BY_OWNER, authorizations.rows::read, owner).stream())
                .toList();
        return endInvalid(entries, allowed).ended();
    }

    /** The same for the first authorizations of a client: as many as can be reported at once. The sweep ends the others. */
    public List<Authorization> endInvalidOfClient(String clientId, Supplier<Predicate<Authorization>> allowed) {
        return endInvalid(sql.query(FIND_SOME_OF_CLIENT, authorizations.rows::read, clientId), allowed)
                .ended();
    }

    /** Ends those that are no longer valid of the next authorizations after an id, which may be empty. */
    public Page endInvalidAfter(String after, Supplier<Predicate<Authorization>> allowed) {
        return endInvalid(sql.query(FIND_NEXT, authorizations.rows::read, after), allowed);
    }

    private Page endInvalid(List<Entry> page, Supplier<Predicate<Authorization>> allowed) {
        Predicate<Authorization> present = allowed.get();
        return new Page(
                redeemed(readable(page).flatMap(row -> endIfInvalid(row.authorization(), present))),
                page.size() < PAGE ? "" : page.get(page.size() - 1).id());
    }

    /**
     * Authorizations that were ended.
     *
     * @param ended the redeemed ones
     * @param last the id to continue after; empty to start again
     */
    public record Page(List<Authorization> ended, String last) {}

    /** Leaves out rows that do not open and grant nothing any more. */
    private static Stream<Row> readable(List<Entry> rows) {
        return rows.stream().flatMap(entry -> Stream.ofNullable(entry.row()));
    }

    /** Leaves out authorizations whose code was not redeemed: the client got nothing that could end. */
    private static List<Authorization> redeemed(Stream<Row> ended) {
        return ended.filter(row -> row.step() > 0).map(Row::authorization).toList();
    }

    /** Of several instances that notice it, one ends it. */
    private Stream<Row> endIfInvalid(Authorization authorization, Predicate<Authorization> allowed) {
        return allowed.test(authorization) && authorizations.grants.isValid(authorization.grant())
                ? Stream.empty()
                : readable(sql.query(REMOVE, authorizations.rows::read, authorization.id()));
    }

    /** Ends a user's authorizations for a client, within a transaction of the caller, and returns the redeemed ones. */
    public List<Authorization> endUser(Connection connection, String userId, String clientId) throws SQLException {
        return redeemed(end(connection, userId, clientId, it -> true).stream());
    }

    /** The same for those with a scope beside the given ones. */
    public List<Authorization> endWider(Connection connection, String userId, String clientId, List<String> scopes)
            throws SQLException {
        return redeemed(end(
                connection,
                userId,
                clientId,
                it -> !scopes.containsAll(it.request().scopes()))
                .stream());
    }

    /**
     * Ends the authorizations of a user who has left a group for the clients that they may no longer use, within the transaction
     * in which they leave: a user who joins again signs in again. The caller has locked the user, so redemptions wait.
     * Redeemed ones leave a row behind to which no token leads, for the running service to report: a command cannot.
     *
     * @return whether there is anything to report
     */
    public boolean leftGroup(Connection connection, String userId, String group) throws SQLException {
        boolean reported = false;
        for (Client client : Clients.limitedTo(connection, group)) {
            if (Groups.refusal(connection, client, userId, Reason.LEFT_GROUP) != null) {
                for (Row row : end(connection, userId, client.id(), it -> true)) {
                    if (row.step() > 0) {
                        Authorization ended = row.authorization().ended(authorizations.newId());
                        authorizations.rows.add(connection, ended, row.step(), row.expiresAt());
                        reported = true;
                    }
                }
            }
        }
        return reported;
    }

    private List<Row> end(Connection connection, String userId, String clientId, Predicate<Authorization> ends)
            throws SQLException {
        List<Row> ended = new ArrayList<>();
        for (String owner : authorizations.tokens.owners(userId)) {
            for (Entry entry : Sql.query(connection, FIND_OF_CLIENT, authorizations.rows::read, owner, clientId)) {
                Row row = entry.row();
                if (row != null && ends.test(row.authorization())) {
                    readable(Sql.query(connection, REMOVE, authorizations.rows::read, entry.id()))
                            .forEach(ended::add);
                }
            }
        }
        return ended;
    }

    /** Removes those that have expired, and what was used once for them. */
    public void removeExpired(long now) {
        sql.update(AuthorizationRows.END + "expires_at < ?", now);
        UsedTokens.removeExpired(sql, now);
    }
}
