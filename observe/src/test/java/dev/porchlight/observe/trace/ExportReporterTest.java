// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static dev.porchlight.observe.export.ExportEvent.Kind.EXPORT_DROPPED;
import static dev.porchlight.observe.export.ExportEvent.Kind.EXPORT_FAILED;
import static dev.porchlight.observe.export.ExportEvent.Kind.EXPORT_RECOVERED;
import static dev.porchlight.observe.export.ExportEvent.Kind.EXPORT_REJECTED;
import static dev.porchlight.observe.export.ExportEvent.Kind.EXPORT_STILL_FAILING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.ExportCounts;
import dev.porchlight.observe.otlp.ExportReporter;
import dev.porchlight.observe.otlp.FakeTime;
import dev.porchlight.observe.otlp.ItemQueue;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExportReporterTest {
    private final FakeTime time = new FakeTime();
    private final Tracers.RecordedEvents events = new Tracers.RecordedEvents();
    private final ExportCounts stats = new ExportCounts(new ItemQueue<>(100));
    private final ExportReporter reporter = new ExportReporter(Signal.TRACES, "the collector", stats, events, time);

    @Test
    void the_first_failure_is_reported_then_one_every_ten_minutes_and_the_recovery_with_figures() {
        for (int second = 0; second < 25 * 60; second++) {
            reporter.failed("HTTP 503");
            time.advance(1, TimeUnit.SECONDS);
        }
        assertThat(events.kinds()).containsExactly(EXPORT_FAILED, EXPORT_STILL_FAILING, EXPORT_STILL_FAILING);
        assertThat(stats.circuitOpen()).isTrue();
        reporter.dropped(DropReason.QUEUE_FULL, 7);
        reporter.exported(1);
        assertThat(events.kinds()).endsWith(EXPORT_RECOVERED);
        assertThat(events.events.get(3).details())
                .isEqualTo(Map.of("failedAttempts", 1500L, "failingForSeconds", 1500L, "lost", 7L));
        assertThat(stats.circuitOpen()).isFalse();
    }

    @Test
    void lost_batches_are_reported_once_a_minute_with_their_number() {
        for (int second = 0; second < 150; second++) {
            reporter.failed("HTTP 400", 10);
            time.advance(1, TimeUnit.SECONDS);
        }
        assertThat(events.kinds()).containsExactly(EXPORT_FAILED, EXPORT_STILL_FAILING, EXPORT_STILL_FAILING);
        assertThat(events.events.get(2).details()).containsEntry("lost", 1210L);
    }

    @Test
    void successful_exports_are_not_reported() {
        reporter.exported(10);
        reporter.exported(10);
        reporter.checkOverflow();
        assertThat(events.events).isEmpty();
    }

    @Test
    void a_flapping_collector_is_reported_at_a_limited_rate() {
        for (int second = 0; second < 600; second++) {
            reporter.failed("HTTP 503");
            reporter.exported(1);
            time.advance(1, TimeUnit.SECONDS);
        }
        assertThat(events.kinds()).containsExactly(EXPORT_FAILED, EXPORT_RECOVERED);
        reporter.failed("HTTP 503");
        assertThat(events.kinds()).containsExactly(EXPORT_FAILED, EXPORT_RECOVERED, EXPORT_FAILED);
    }

    @Test
    void rejections_are_reported_every_ten_minutes() {
        for (int minute = 0; minute < 15; minute++) {
            reporter.rejected(2, "too old");
            time.advance(1, TimeUnit.MINUTES);
        }
        assertThat(events.kinds()).containsExactly(EXPORT_REJECTED, EXPORT_REJECTED);
        assertThat(events.events.get(1).details()).isEqualTo(Map.of("rejected", 2L, "rejectedInAll", 22L));
    }

    @Test
    void an_overflow_is_reported_every_ten_minutes_with_the_spans_lost_since() {
        for (int minute = 0; minute < 15; minute++) {
            stats.countDropped(DropReason.QUEUE_FULL, 3);
            reporter.checkOverflow();
            time.advance(1, TimeUnit.MINUTES);
        }
        assertThat(events.kinds()).containsExactly(EXPORT_DROPPED, EXPORT_DROPPED);
        assertThat(events.events.get(1).details()).isEqualTo(Map.of("dropped", 30L, "queueCapacity", 100L));
        time.advance(1, TimeUnit.HOURS);
        reporter.checkOverflow();
        time.advance(1, TimeUnit.HOURS);
        reporter.checkOverflow();
        assertThat(events.kinds()).hasSize(3);
    }
}
