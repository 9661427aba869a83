// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.page.CounterGrowth;
import dev.porchlight.observe.page.CounterGrowth.Growth;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What the console's samples have beyond those of every application: ceremonies by result. Not thread-safe. */
public final class CeremonySamples implements Supplier<String> {
    private final CounterGrowth growth;
    private final LongSupplier revision;

    /**
     * Creates the source of these members.
     *
     * @param revision changes with each event of a ceremony
     */
    public CeremonySamples(MetricRegistry metrics, LongSupplier revision) {
        this.growth = new CounterGrowth(metrics);
        this.revision = revision;
    }

    @Override
    public String get() {
        String json = JsonWriter.object(members -> members.number("revision", revision.getAsLong())
                .objects("operations", growth.of("passkey_ceremonies_total"), CeremonySamples::operation)
                .objects("browser", growth.of("passkey_browser_outcomes_total"), CeremonySamples::browser));
        return json.substring(1, json.length() - 1);
    }

    private static void operation(JsonWriter json, Growth operation) {
        json.text("operation", operation.label("ceremony")).text("outcome", operation.label("outcome"));
        if (!operation.label("reason").isEmpty()) {
            json.text("reason", operation.label("reason"));
        }
        json.number("count", operation.count());
    }

    private static void browser(JsonWriter json, Growth report) {
        json.text("ceremony", report.label("ceremony"))
                .text("outcome", report.label("outcome"))
                .number("count", report.count());
    }
}
