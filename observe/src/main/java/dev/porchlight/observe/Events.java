// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportEvent.Kind;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.MetricMisuse;
import dev.porchlight.observe.metrics.SeriesOverflow;
import java.util.Locale;

/** Writes the events of settings, exports and metrics as log lines. */
final class Events {
    private Events() {}

    static void log(Logger logger, ObservabilitySettings.Warning warning) {
        logger.warn(warning.message(), Fields.of("event", "configuration", "variable", warning.variable()));
    }

    static void log(Logger logger, ExportEvent event) {
        Fields fields = new Fields()
                .put("event", event.kind().name().toLowerCase(Locale.ROOT))
                .put("signal", event.signal().label());
        event.details().forEach(fields::put);
        Level level =
                event.kind().debug() ? Level.DEBUG : event.kind() == Kind.EXPORT_RECOVERED ? Level.INFO : Level.WARN;
        logger.log(level, event.message(), null, fields);
    }

    static void log(Logger logger, SeriesOverflow overflow) {
        logger.warn(
                "metric " + overflow.metric() + " has reached its limit of series; further label sets share one series",
                new Fields()
                        .put("metric", overflow.metric())
                        .put("limit", overflow.limit())
                        .put("widestLabel", overflow.widestLabel())
                        .put("values", overflow.values()));
    }

    static void log(Logger logger, MetricMisuse misuse) {
        logger.warn(
                "metric " + misuse.metric() + " is misused: " + misuse.reason()
                        + "; see obs_metric_misuse_total for further cases",
                Fields.of("metric", misuse.metric()));
    }
}
