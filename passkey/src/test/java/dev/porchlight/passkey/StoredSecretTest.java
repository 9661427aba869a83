// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.Migration;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A secret that all instances on a database share. */
class StoredSecretTest {
    private final SecureRandom random = new SecureRandom();

    @ParameterizedTest
    @EnumSource
    void sixteen_concurrent_instances_get_the_same_secret(TestDatabase database) {
        try (HikariDataSource pool = database.fresh();
                var race = new Race(16)) {
            Migration.run(pool);
            Set<String> seen = new HashSet<>();
            for (int round = 0; round < 20; round++) {
                String name = "secret " + round;

                Set<String> read = new HashSet<>(race.run(() -> read(new Sql(pool), name)));

                assertThat(read).hasSize(1).allMatch(secret -> secret.length() == 64);
                seen.addAll(read);
            }
            assertThat(seen).as("one for each name").hasSize(20);
        }
    }

    @Test
    void the_secret_is_stable() {
        try (HikariDataSource pool = TestDatabase.SQLITE.fresh()) {
            Migration.run(pool);

            assertThat(read(new Sql(pool), "a")).isEqualTo(read(new Sql(pool), "a"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "c2hvcnQ", "not base64 at all, and longer than forty-three characters"})
    void an_invalid_secret_is_refused_and_not_quoted(String text) {
        try (HikariDataSource pool = TestDatabase.SQLITE.fresh()) {
            Migration.run(pool);
            new Sql(pool).update("INSERT INTO passkey_secret VALUES ('a', ?)", text);

            assertThatThrownBy(() -> read(new Sql(pool), "a"))
                    .isInstanceOf(StorageException.class)
                    .hasMessage("the row 'a' of passkey_secret does not hold 32 bytes in base64url:"
                            + " delete it and restart all instances");
        }
    }

    private String read(Sql sql, String name) {
        return HexFormat.of().formatHex(StoredSecret.read(sql, name, random));
    }
}
