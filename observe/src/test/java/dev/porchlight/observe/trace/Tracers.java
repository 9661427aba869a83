// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.otlp.ExportTime;
import dev.porchlight.observe.otlp.Sender;
import dev.porchlight.support.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Tracers and ended spans for tests. */
final class Tracers {
    static final Consumer<ExportEvent> SILENT = event -> {};

    private Tracers() {}

    static TraceSettings settings(Map<String, String> environment) {
        return TraceSettings.fromEnvironment("test", environment, (variable, message) -> {});
    }

    static Tracer open(Sender<Span> sender) {
        return open(Map.of(), sender);
    }

    static Tracer open(Map<String, String> environment, Sender<Span> sender) {
        return Tracer.open(settings(environment), sender, SILENT, ExportTime.SYSTEM);
    }

    /** Returns the spans that end while {@code work} runs, as the exporter receives them. */
    static List<Span> ended(Consumer<Tracer> work) {
        return ended(Map.of(), work);
    }

    static List<Span> ended(Map<String, String> environment, Consumer<Tracer> work) {
        RecordingSender sender = new RecordingSender();
        try (Tracer tracer = open(environment, sender)) {
            work.accept(tracer);
        }
        return sender.spans();
    }

    static List<Span> spans(int count) {
        return ended(tracer -> {
            for (int i = 0; i < count; i++) {
                tracer.start("span " + i).end();
            }
        });
    }

    /** A listener that records events, and those for debug lines apart. */
    static final class RecordedEvents implements Consumer<ExportEvent> {
        final List<ExportEvent> events = new ArrayList<>();
        final List<ExportEvent> debugEvents = new ArrayList<>();

        @Override
        public synchronized void accept(ExportEvent event) {
            (event.kind().debug() ? debugEvents : events).add(event);
        }

        synchronized List<ExportEvent.Kind> kinds() {
            return events.stream().map(ExportEvent::kind).toList();
        }

        synchronized List<String> messages() {
            return events.stream().map(ExportEvent::message).toList();
        }
    }

    static final Duration SOON = Patience.LIMIT;
}
