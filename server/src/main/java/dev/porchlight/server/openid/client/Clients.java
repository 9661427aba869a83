// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.storage.Consents;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The registered clients, in the table {@code porchlight_client}. Thread-safe. */
public final class Clients {
    /** The form of a {@code client_id}. The console uses it in HTML, where the hyphen must be escaped. */
    public static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9._\\-]{0,63}");

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
    /** In the order that {@link #read} reads them. */
    public static final String COLUMNS = "client_id, name, secret_hash, settings, generation, created_at";

    private static final String FIND = "SELECT " + COLUMNS + " FROM porchlight_client WHERE client_id = ?";
    private static final String ALL = "SELECT " + COLUMNS + " FROM porchlight_client ORDER BY client_id";
    private static final String ADD = "INSERT INTO porchlight_client (" + COLUMNS
            + ") VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (client_id) DO NOTHING";

    private static final String SETTINGS = "SELECT settings FROM porchlight_client WHERE client_id = ?";
    private static final String CHANGE = "UPDATE porchlight_client SET name = ?, settings = ?, generation = ?"
            + " WHERE client_id = ? AND name = ? AND settings = ? AND generation = ?";
    private static final String REPLACE_SECRET = "UPDATE porchlight_client SET secret_hash = ? WHERE client_id = ?";

    private final Sql sql;
    private final InstantSource clock;
    private final SecureRandom random;
    private volatile @Nullable Summary summary;

    public Clients(Sql sql, InstantSource clock, SecureRandom random) {
        this.sql = sql;
        this.clock = clock;
        this.random = random;
    }

    /** What is kept for some seconds. */
    private record Summary(boolean any, Set<String> pageOrigins, long readAt) {}

    /** Whether any client is registered, as known for the last few seconds. Without one, OpenID Connect is off. */
    public boolean exist() {
        return summary().any();
    }

    /** Whether a public client has a page at this origin, as known for the last few seconds. */
    boolean havePageAt(String origin) {
        return summary().pageOrigins().contains(origin);
    }

    /** Reads again what is kept for some seconds, because it may have changed. */
    void changed() {
        summary = null;
    }

    private Summary summary() {
        long now = clock.millis();
        Summary known = summary;
        if (known == null || Math.abs(now - known.readAt()) >= LOOK_AGAIN.toMillis()) {
            List<Client> all = all();
            Set<String> origins = all.stream().flatMap(Client::pageOrigins).collect(Collectors.toUnmodifiableSet());
            known = new Summary(!all.isEmpty(), origins, now);
            summary = known;
        }
        return known;
    }

    /** The client with this id, or null. */
    public @Nullable Client find(String id) {
        return ID.matcher(id).matches() ? Sql.first(sql.query(FIND, row -> read(row, 1), id)) : null;
    }

    /** The same as a transaction sees it. */
    public static @Nullable Client find(Connection connection, String id) throws SQLException {
        return Sql.first(Sql.query(connection, FIND, row -> read(row, 1), id));
    }

    /** All clients, by id. */
    public List<Client> all() {
        return sql.query(ALL, row -> read(row, 1));
    }

    /** The clients that are limited to this group, alone or among others, as a transaction sees them. */
    public static List<Client> limitedTo(Connection connection, String group) throws SQLException {
        return Sql.query(connection, ALL, row -> read(row, 1)).stream()
                .filter(client -> client.settings().groups().contains(group))
                .toList();
    }

    /** A new client secret, shown once. */
    public String newSecret() {
        return Bytes.random(random, 32).base64Url();
    }

    /** Ends the authorizations of a client, within a transaction of the caller. */
    @FunctionalInterface
    public interface GrantEnd {
        void run(Connection connection, String clientId) throws SQLException;
    }

    /** Adds a client, which inherits nothing from an earlier one of that id; false if the id is taken. */
    static boolean add(Connection connection, Client client, GrantEnd grants) throws SQLException {
        String id = client.id();
        int added = Sql.update(
                connection,
                ADD,
                id,
                client.name(),
                client.secretHash(),
                JsonWriter.object(client.settings()::write),
                client.generation(),
                client.createdAt());
        if (added == 1) {
            endAll(connection, id, grants);
        }
        return added == 1;
    }

    /** Replaces the secret; false if there is no such client. */
    static boolean replaceSecret(Connection connection, String id, String secretHash) throws SQLException {
        return Sql.update(connection, REPLACE_SECRET, secretHash, id) == 1;
    }

    /**
     * Replaces the name and the settings. If the new ones are stricter, what was granted before is no longer valid; it is left
     * for the running service to end and to report.
     *
     * @param before the client as it was read
     * @return false if it was changed or removed since
     */
    static boolean change(Connection connection, Client before, String name, ClientSettings settings)
            throws SQLException {
        String id = before.id();
        String text = Sql.first(Sql.query(connection, SETTINGS, row -> row.getString(1), id));
        if (text == null || !settings(id, text).equals(before.settings())) {
            return false;
        }
        String stored = JsonWriter.object(settings::write);
        long former = before.generation();
        long generation = former + (settings.isStricterThan(before.settings()) ? 1 : 0);
        boolean changed =
                Sql.update(connection, CHANGE, name, stored, generation, id, before.name(), text, former) == 1;
        if (changed && before.settings().consent() && !settings.consent()) {
            Consents.forgetClient(connection, id); // the account page lists only what needs consent
        }
        return changed;
    }

    /** Removes a client with everything it was granted; false if there is no such client. */
    static boolean remove(Connection connection, String id, GrantEnd grants) throws SQLException {
        boolean removed = Sql.update(connection, "DELETE FROM porchlight_client WHERE client_id = ?", id) == 1;
        endAll(connection, id, grants);
        return removed;
    }

    /** In the order in which a sign-in and a revoked consent lock the rows, so that they cannot deadlock. */
    private static void endAll(Connection connection, String id, GrantEnd grants) throws SQLException {
        Consents.forgetClient(connection, id);
        grants.run(connection, id);
    }

    /** Reads a client from adjacent columns. */
    public static Client read(ResultSet row, int first) throws SQLException {
        String id = row.getString(first);
        return new Client(
                id,
                row.getString(first + 1),
                row.getString(first + 2),
                settings(id, row.getString(first + 3)),
                row.getLong(first + 5),
                row.getLong(first + 4));
    }

    private static ClientSettings settings(String id, String text) {
        try {
            return ClientSettings.read(JsonObject.parse(text, "client"));
        } catch (MalformedException e) {
            throw new StorageException("the settings of client " + id + " are damaged", e);
        }
    }
}
