// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.storage.Database;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AuditSubjectsTest {
    private static final String USER = "ada";

    @ParameterizedTest
    @EnumSource
    void a_user_has_a_pseudonym_for_each_key_until_they_are_erased(TestDatabase engine) {
        AuditSubjects before = new AuditSubjects(key(1));
        AuditSubjects now = new AuditSubjects(key(2)); // after a theft the keys are replaced
        try (Database database = engine.open(1)) {
            Sql sql = database.sql();
            add(sql, before);
            assertThat(before.missing(sql, List.of(USER))).isEmpty();
            assertThat(now.missing(sql, List.of(USER))).containsExactly(USER);

            add(sql, now);
            add(sql, now);
            assertThat(AuditSubjects.find(sql, USER)).containsExactlyInAnyOrder(before.of(USER), now.of(USER));

            sql.transaction("erase", connection -> {
                AuditSubjects.remove(connection, USER);
                return true;
            });
            assertThat(AuditSubjects.find(sql, USER)).isEmpty();
        }
    }

    private static void add(Sql sql, AuditSubjects subjects) {
        sql.transaction("add", connection -> {
            subjects.add(connection, USER);
            return true;
        });
    }

    private static byte[] key(int value) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) value);
        return key;
    }
}
