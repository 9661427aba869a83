// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReportedEventsTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration APART = Duration.ofMinutes(5);

    private final Sql sql = new Sql(TestDatabase.SQLITE.open(2).dataSource());

    @Test
    void events_between_two_reports_are_counted() {
        assertThat(count(NOW)).hasValue(0);
        assertThat(count(NOW.plusSeconds(1))).isEmpty();
        assertThat(count(NOW.plus(APART))).as("not yet older").isEmpty();
        assertThat(count(NOW.plus(APART).plusMillis(1))).hasValue(2);
        assertThat(ReportedEvents.isReported(sql, "event", NOW.plus(APART))).isTrue();
        assertThat(ReportedEvents.isReported(sql, "event", NOW.plus(APART).plusMillis(2)))
                .isFalse();
        assertThat(ReportedEvents.isReported(sql, "another", NOW)).isFalse();
    }

    @Test
    void a_count_is_removed_two_days_after_the_last_report() {
        count(NOW);
        long twoDays = NOW.plus(Duration.ofDays(2)).toEpochMilli();

        ReportedEvents.removeOld(sql, twoDays);
        assertThat(ReportedEvents.isReported(sql, "event", NOW)).isTrue();
        ReportedEvents.removeOld(sql, twoDays + 1);
        assertThat(ReportedEvents.isReported(sql, "event", NOW)).isFalse();
    }

    private OptionalLong count(Instant now) {
        return sql.transaction(
                "count", connection -> ReportedEvents.count(connection, "event", now, now.minus(APART), 1));
    }
}
