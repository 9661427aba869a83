// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class UsedTokensTest {
    private static final Instant EXPIRY = Instant.parse("2030-01-01T00:00:00Z");

    private final Sql sql = new Sql(TestDatabase.SQLITE.open(2).dataSource());

    @Test
    void an_instance_whose_clock_is_ahead_forgets_nothing_that_another_accepts() {
        assertThat(UsedTokens.use(sql, "proof", EXPIRY)).isTrue();

        sweepAt(Duration.ofSeconds(45));
        sweepAt(Duration.ofMinutes(10));

        assertThat(UsedTokens.use(sql, "proof", EXPIRY)).isFalse();
    }

    @Test
    void what_no_instance_accepts_is_forgotten() {
        assertThat(UsedTokens.use(sql, "proof", EXPIRY)).isTrue();

        sweepAt(Duration.ofMinutes(10).plusMillis(1));

        assertThat(sql.query("SELECT 1 FROM porchlight_openid_used", row -> row.getInt(1)))
                .isEmpty();
    }

    private void sweepAt(Duration afterExpiry) {
        UsedTokens.removeExpired(sql, EXPIRY.plus(afterExpiry).toEpochMilli());
    }
}
