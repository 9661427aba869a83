// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.log.LogWriter;
import java.io.OutputStream;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CeremonySamplesTest {
    private final Observability observe = Observability.open(
            ObservabilitySettings.fromEnvironment("test", Map.of()), LogWriter.to(OutputStream.nullOutputStream()));

    @AfterEach
    void close() {
        observe.close();
    }

    @Test
    void ceremonies_and_browsers_are_counted_by_outcome_and_reason() {
        var ceremonies = observe.metrics()
                .counter("passkey_ceremonies_total")
                .help("Ceremonies.")
                .labels("ceremony", "outcome", "reason")
                .register();
        var browsers = observe.metrics()
                .counter("passkey_browser_outcomes_total")
                .help("Reports.")
                .labels("ceremony", "outcome")
                .register();
        ceremonies.with("login", "ok", "").inc(3);
        ceremonies.with("login", "refused", "bad_signature").inc();
        browsers.with("login", "dismissed").inc(2);
        CeremonySamples samples = new CeremonySamples(observe.metrics(), () -> 7);

        assertThat(samples.get())
                .startsWith("\"revision\":7,\"operations\":[{")
                .contains("{\"operation\":\"login\",\"outcome\":\"ok\",\"count\":3}")
                .contains("{\"operation\":\"login\",\"outcome\":\"refused\",\"reason\":\"bad_signature\",\"count\":1}")
                .contains("\"browser\":[{\"ceremony\":\"login\",\"outcome\":\"dismissed\",\"count\":2}]");
        assertThat(samples.get()).isEqualTo("\"revision\":7,\"operations\":[],\"browser\":[]");
    }
}
