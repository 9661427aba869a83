// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.grant.Authorizations.Redemption;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.PasskeyAccess;
import dev.porchlight.server.storage.UserGroups;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Authorizations of sign-ins that ended at another instance or by a command. */
class AuthorizationsTest {
    private static final Client CLIENT =
            new Client("app", "App", null, ClientSettings.of(List.of("https://app.example/")), 0, 0);
    private static final Supplier<Predicate<Authorization>> ALL = () -> it -> true;

    private final Database database = TestDatabase.SQLITE.open(2);
    private final Sql sql = new Sql(database.dataSource());
    private final Grants grants = new Grants(sql, id -> PasskeyAccess.read(sql, id));

    @BeforeEach
    void register() {
        sql.update(
                "INSERT INTO porchlight_client (client_id, name, settings, generation, created_at) VALUES (?, ?, ?, 0, 0)",
                CLIENT.id(),
                CLIENT.name(),
                JsonWriter.object(CLIENT.settings()::write));
        for (String userId : List.of("ada", "bob")) {
            sql.update(
                    "INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                            + " VALUES (?, ?, '{}', 0, 'https://example.com')",
                    "passkey of " + userId,
                    userId);
        }
    }

    private void end(String userId) {
        sql.update("DELETE FROM passkey_credential WHERE user_id = ?", userId);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Authorizations with(byte secret) {
        byte[] key = new byte[32];
        key[0] = secret;
        var random = new SecureRandom();
        return new Authorizations(
                sql, new Sealer(List.of(key), random), List.of(key), grants, Clock.systemUTC(), random);
    }

    private static AuthorizationEnds ends(Authorizations authorizations) {
        return new AuthorizationEnds(authorizations);
    }

    private String add(Authorizations authorizations, String userId) throws SQLException {
        var request = new CodeRequest("https://app.example/", "c", List.of("openid"), null, null);
        var grant = new Grant(userId, "passkey of " + userId, 0L, 0L, Instant.EPOCH);
        var session = new Session("session", grant, 0, 0, "", null, List.of("hwk"));
        try (Connection connection = database.dataSource().getConnection()) {
            return authorizations.add(connection, CLIENT, request, session, grant);
        }
    }

    @Test
    void an_ended_sign_in_is_found_once() throws SQLException {
        Authorizations authorizations = with((byte) 1);
        redeem(authorizations, add(authorizations, "ada"), TokenKind.CODE);
        redeem(authorizations, add(authorizations, "bob"), TokenKind.CODE);
        String unredeemed = add(authorizations, "ada");
        assertThat(ends(authorizations).endInvalidAfter("", ALL).ended()).isEmpty();

        end("ada");

        assertThat(ends(authorizations).endInvalidAfter("", ALL).ended())
                .extracting(Authorization::userId)
                .containsExactly("ada");
        assertThat(authorizations.peek(unredeemed)).isNull(); // it ended too, and the client did not learn of it
        assertThat(ends(authorizations).endInvalidAfter("", ALL).ended()).isEmpty();
        end("bob");
        assertThat(ends(authorizations).endInvalid("ada", ALL)).isEmpty();
        assertThat(ends(authorizations).endInvalid("bob", ALL)).hasSize(1);
    }

    @Test
    void a_sign_in_that_the_client_may_no_longer_have_ends() throws SQLException {
        Authorizations authorizations = with((byte) 1);
        redeem(authorizations, add(authorizations, "ada"), TokenKind.CODE);
        redeem(authorizations, add(authorizations, "bob"), TokenKind.CODE);

        assertThat(ends(authorizations).endInvalidOfClient("another", () -> it -> false))
                .isEmpty();
        assertThat(ends(authorizations)
                        .endInvalidOfClient("app", () -> it -> it.userId().equals("bob")))
                .extracting(Authorization::userId)
                .containsExactly("ada");
        assertThat(ends(authorizations).endInvalidAfter("", () -> it -> false).ended())
                .extracting(Authorization::userId)
                .containsExactly("bob");
    }

    @Test
    void a_sign_in_after_a_change_of_the_client_is_not_compared_with_earlier_settings() throws SQLException {
        Authorizations authorizations = with((byte) 1);
        redeem(authorizations, add(authorizations, "ada"), TokenKind.CODE);
        AtomicReference<String> later = new AtomicReference<>("");
        Supplier<Predicate<Authorization>> settings = () -> {
            later.set(assertDoesNotThrow(() -> add(authorizations, "bob")));
            return it -> false;
        };

        assertThat(ends(authorizations).endInvalidAfter("", settings).ended()).hasSize(1);
        assertThat(authorizations.peek(later.get())).isNotNull();
        ends(authorizations).endInvalid("bob", settings);
        assertThat(authorizations.peek(later.get())).isNotNull();
        ends(authorizations).endInvalidOfClient("app", settings);
        assertThat(authorizations.peek(later.get())).isNotNull();
    }

    @Test
    void what_a_user_got_before_they_left_a_group_and_joined_again_is_reported_once() throws SQLException {
        Authorizations authorizations = with((byte) 1);
        String refreshToken = redeem(authorizations, add(authorizations, "ada"), TokenKind.CODE)
                .refreshToken();
        String code = add(authorizations, "ada");
        redeem(authorizations, add(authorizations, "bob"), TokenKind.CODE);
        sql.update(
                "UPDATE porchlight_client SET settings = ?",
                JsonWriter.object(
                        json -> json.texts("redirectUris", CLIENT.settings().redirectUris())
                                .texts("groups", List.of("crew"))));
        Supplier<Predicate<Authorization>> settings = () -> it -> it.refusal(CLIENT) == null;
        try (Connection connection = database.dataSource().getConnection()) {
            assertThat(ends(authorizations).leftGroup(connection, "ada", "another"))
                    .isFalse();
            assertThat(ends(authorizations).leftGroup(connection, "ada", "crew"))
                    .isTrue();
            UserGroups.add(connection, "crew", "ada");
        }

        assertThat(authorizations.peek(refreshToken)).isNull();
        assertThat(authorizations.peek(code)).isNull();
        assertThat(ends(authorizations).endInvalidAfter("", settings).ended())
                .extracting(Authorization::userId)
                .containsExactly("ada");
        assertThat(ends(authorizations).endInvalidAfter("", settings).ended()).isEmpty();
    }

    @Test
    void a_client_that_redeems_its_code_while_the_sign_in_ends_is_notified() throws SQLException {
        Authorizations authorizations = with((byte) 1);
        String code = add(authorizations, "ada");
        List<String> narrower = new ArrayList<>() {
            @Override
            public boolean containsAll(Collection<?> scopes) {
                assertDoesNotThrow(() -> redeem(authorizations, code, TokenKind.CODE));
                return false;
            }
        };
        try (Connection connection = database.dataSource().getConnection()) {
            assertThat(ends(authorizations).endWider(connection, "ada", "app", narrower))
                    .hasSize(1);
        }

        String other = add(authorizations, "bob");
        Supplier<Predicate<Authorization>> redeeming = () -> {
            assertDoesNotThrow(() -> redeem(authorizations, other, TokenKind.CODE));
            return it -> false;
        };
        assertThat(ends(authorizations).endInvalid("bob", redeeming)).hasSize(1);
    }

    @Test
    void a_row_that_another_secret_sealed_is_passed_over() throws SQLException {
        Authorizations before = with((byte) 1);
        redeem(before, add(before, "ada"), TokenKind.CODE);
        Authorizations authorizations = with((byte) 2);
        redeem(authorizations, add(authorizations, "bob"), TokenKind.CODE);
        end("ada");
        end("bob");

        assertThat(ends(authorizations).endInvalidAfter("", ALL).ended())
                .extracting(Authorization::userId)
                .containsExactly("bob");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "step = 0",
                "expires_at = expires_at + 1",
                "session = 'another'",
                "client_id = 'another'",
                "owner = 'another'",
                "sealed = (SELECT sealed FROM porchlight_openid_authorization WHERE step = 0)"
            })
    void a_row_that_was_changed_grants_nothing(String change) throws SQLException {
        Authorizations authorizations = with((byte) 1);
        String code = add(authorizations, "ada");
        Redemption first = redeem(authorizations, code, TokenKind.CODE);
        assertThat(first.refusal()).isNull();
        add(authorizations, "bob");
        assertThat(authorizations.peek(first.refreshToken())).isNotNull();

        sql.update("UPDATE porchlight_openid_authorization SET " + change + " WHERE step = 1");

        assertThat(authorizations.peek(first.refreshToken())).isNull();
        assertThat(redeem(authorizations, code, TokenKind.CODE).refusal()).isNotNull();
        assertThat(redeem(authorizations, first.refreshToken(), TokenKind.REFRESH_TOKEN)
                        .refusal())
                .isEqualTo(TokenKind.REFRESH_TOKEN.invalid("one of a sign-in that has ended"));
    }

    @Test
    void a_code_is_redeemed_with_four_statements() throws SQLException {
        sql.update("INSERT INTO passkey_user (user_id) VALUES ('ada')");
        Authorizations authorizations = with((byte) 1);
        String code = add(authorizations, "ada");
        List<Object> statements = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection()) {
            var counting = (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement")) {
                            statements.add(arguments[0]);
                        }
                        return method.invoke(connection, arguments);
                    });

            assertThat(redeem(counting, authorizations, code, TokenKind.CODE).refusal())
                    .isNull();
        }
        assertThat(statements)
                .as("the row is found with its client, the user locked, the passkey read, and the row advanced")
                .hasSize(4);
    }

    private Redemption redeem(Authorizations authorizations, String token, TokenKind kind) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return redeem(connection, authorizations, token, kind);
        }
    }

    private static Redemption redeem(Connection connection, Authorizations authorizations, String token, TokenKind kind)
            throws SQLException {
        return authorizations.redeem(connection, token, kind, null, (it, client) -> null);
    }
}
