// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EnrollmentsTest {
    private static final String SECRET = "a secret that is long enough to be one";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final InstantSource CLOCK = InstantSource.system();

    @Test
    void a_link_with_the_earlier_spelling_works_once_and_ends_with_a_lock() {
        try (Database database = TestDatabase.SQLITE.open(1)) {
            var secrets = new SecretRotation(SECRET, Optional.empty());
            var manager = new SessionManager(secrets, new SqlSealedEntries(database.sql(), CLOCK), CLOCK, RANDOM);
            var enrollments = new Enrollments(manager, new Sealer(secrets.forPurpose("sign-up tokens"), RANDOM));
            long later = CLOCK.millis() + Duration.ofMinutes(5).toMillis();
            for (String token : new String[] {"enrol_first", "enrol_second"}) {
                manager.keep("enrolment", token, "ada", "{\"userId\":\"ada\",\"firstOnly\":false}", later);
            }

            Enrollment first = enrollments.find("enrol_first");

            assertThat(Enrollments.isToken("enrol_first")).isTrue();
            assertThat(first.userId()).isEqualTo("ada");
            assertThat(database.sql().transaction("use", first::use)).isTrue();
            assertThat(database.sql().transaction("use again", first::use)).isFalse();
            assertThat(enrollments.find("enrol_first")).isNull();
            assertThat(enrollments.isPending("ada")).isTrue();
            var unused = database.sql().transaction("lock", connection -> {
                enrollments.endAll(connection, "ada");
                return true;
            });
            assertThat(enrollments.isPending("ada")).isFalse();
        }
    }
}
