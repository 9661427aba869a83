// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.storage.Database;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows of clients, which operators and commands change at the same time. */
class ClientsTest {
    private static final ClientSettings SETTINGS = ClientSettings.of(List.of("https://app.example/"));

    private final Database database = TestDatabase.SQLITE.open(2);
    private final Sql sql = new Sql(database.dataSource());
    private final Clients clients = new Clients(sql, Clock.systemUTC(), new SecureRandom());

    @AfterEach
    void close() {
        database.close();
    }

    private boolean change(Client before, String name, String uri) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return Clients.change(connection, before, name, ClientSettings.of(List.of(uri)));
        }
    }

    private Client add() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            Client client = new Client("app", "App", null, SETTINGS, 0, 0);
            assertThat(Clients.add(connection, client, Authorizations::endClient))
                    .isTrue();
        }
        return Objects.requireNonNull(clients.find("app"));
    }

    @Test
    void a_change_of_an_outdated_client_changes_nothing() throws SQLException {
        Client read = add();
        assertThat(change(new Client("app", "App", null, SETTINGS, 0, 1), "App", "https://app.example/zeroth"))
                .as("another generation")
                .isFalse();
        assertThat(change(read, "App", "https://app.example/first")).isTrue();

        assertThat(change(read, "App", "https://app.example/second")).isFalse();
        assertThat(change(new Client("app", "Old", null, SETTINGS, 0, 0), "New", "https://app.example/third"))
                .isFalse();

        assertThat(clients.all())
                .singleElement()
                .satisfies(client ->
                        assertThat(client.settings().redirectUris()).containsExactly("https://app.example/first"));
    }

    @Test
    void settings_that_are_stored_in_another_form_can_be_changed() throws SQLException {
        add();
        sql.update("UPDATE porchlight_client SET settings = '{\"redirectUris\":[ \"https://app.example/\" ]}'");

        assertThat(change(Objects.requireNonNull(clients.find("app")), "App", "https://app.example/new"))
                .isTrue();
    }

    @Test
    void a_new_client_inherits_nothing_from_an_earlier_one() throws SQLException {
        sql.update("INSERT INTO porchlight_openid_consent (user_id, client_id, scopes, agreed_at)"
                + " VALUES ('ada', 'app', 'openid', 0)");
        sql.update("INSERT INTO porchlight_openid_authorization"
                + " (authorization_id, client_id, session, owner, sealed, step, expires_at)"
                + " VALUES ('id', 'app', '', '', '', 0, 0)");

        add();

        for (String table : List.of("porchlight_openid_consent", "porchlight_openid_authorization")) {
            assertThat(sql.query("SELECT 1 FROM " + table, row -> row.getInt(1)))
                    .as(table)
                    .isEmpty();
        }
    }
}
