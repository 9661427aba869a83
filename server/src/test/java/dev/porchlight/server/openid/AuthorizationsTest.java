// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.openid.Authorizations.Redeemed;
import dev.porchlight.server.openid.OpenIdPorts.GrantChecks;
import dev.porchlight.server.openid.OpenIdPorts.SignedInUser;
import dev.porchlight.server.storage.Database;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Authorizations of sign-ins that ended at another instance or by a command. */
class AuthorizationsTest {
    private final Database database = TestDatabase.SQLITE.open(2);
    private final Sql sql = new Sql(database.dataSource());
    private final Set<String> ended = new HashSet<>();
    private final GrantChecks grants = new GrantChecks() {
        @Override
        public boolean isValid(Connection connection, Grant grant) {
            return isValid(grant);
        }

        @Override
        public Grant lasting(Connection connection, Grant grant) {
            return grant;
        }

        @Override
        public boolean isValid(Grant grant) {
            return !ended.contains(grant.userId());
        }
    };

    @AfterEach
    void close() {
        database.close();
    }

    private Authorizations with(byte secret) {
        byte[] key = new byte[32];
        key[0] = secret;
        var random = new SecureRandom();
        return new Authorizations(
                sql,
                new Sealer(List.of(key), random),
                new AuthorizationTokens(List.of(key)),
                grants,
                Clock.systemUTC(),
                random);
    }

    private String add(Authorizations authorizations, String userId) throws SQLException {
        var request = new SignInRequest(
                "app",
                "https://app.example/",
                List.of("openid"),
                null,
                null,
                "c",
                false,
                false,
                false,
                null,
                null,
                null,
                null,
                null,
                null,
                0);
        var user = new SignedInUser(new Grant(userId, "credential", 0L, 0L, Instant.EPOCH), "session", List.of("hwk"));
        try (Connection connection = database.dataSource().getConnection()) {
            return authorizations.add(connection, request, user).orElseThrow();
        }
    }

    @Test
    void an_ended_sign_in_is_found_once() throws SQLException {
        Authorizations authorizations = with((byte) 1);
        redeem(authorizations, add(authorizations, "ada"), true);
        redeem(authorizations, add(authorizations, "bob"), true);
        String unredeemed = add(authorizations, "ada");
        assertThat(authorizations.endInvalidAfter("").ended()).isEmpty();

        ended.add("ada");

        assertThat(authorizations.endInvalidAfter("").ended())
                .extracting(Authorization::userId)
                .containsExactly("ada");
        assertThat(authorizations.peek(unredeemed)).isNull(); // it ended too, and the client did not learn of it
        assertThat(authorizations.endInvalidAfter("").ended()).isEmpty();
        ended.add("bob");
        assertThat(authorizations.endInvalid("ada")).isEmpty();
        assertThat(authorizations.endInvalid("bob")).hasSize(1);
    }

    @Test
    void a_row_that_another_secret_sealed_is_passed_over() throws SQLException {
        Authorizations before = with((byte) 1);
        redeem(before, add(before, "ada"), true);
        Authorizations authorizations = with((byte) 2);
        redeem(authorizations, add(authorizations, "bob"), true);
        ended.addAll(List.of("ada", "bob"));

        assertThat(authorizations.endInvalidAfter("").ended())
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
                "sealed = (SELECT sealed FROM porchlight_openid_grant WHERE step = 0)"
            })
    void a_row_that_was_changed_grants_nothing(String change) throws SQLException {
        Authorizations authorizations = with((byte) 1);
        String code = add(authorizations, "ada");
        Redeemed first = redeem(authorizations, code, true);
        assertThat(first.refusal()).isNull();
        add(authorizations, "bob");
        assertThat(authorizations.peek(first.refreshToken())).isNotNull();

        sql.update("UPDATE porchlight_openid_grant SET " + change + " WHERE step = 1");

        assertThat(authorizations.peek(first.refreshToken())).isNull();
        assertThat(redeem(authorizations, code, true).refusal()).isNotNull();
        assertThat(redeem(authorizations, first.refreshToken(), false).refusal())
                .isEqualTo(Refusal.invalid(false, "one of a sign-in that has ended"));
    }

    private Redeemed redeem(Authorizations authorizations, String token, boolean code) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return authorizations.redeem(connection, token, code, Duration.ofHours(1), null, (it, found) -> null);
        }
    }
}
