// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks on the command line. */
class WebhooksCommandTest {
    private static final String URL = "https://hooks.example/porchlight";

    @TempDir
    Path directory;

    private CliRun run(String... words) {
        return CliRun.of(Map.of("DATA_DIR", directory.toString()), words);
    }

    @Test
    void an_endpoint_is_added_tested_and_removed() {
        CliRun added = run("webhooks", "add", URL, "--event", "user.*", "--event", "passkey.removed");
        assertThat(added.status()).as(added.err()).isZero();
        assertThat(added.out()).contains(URL, "user.*", "passkey.removed").containsPattern("secret +whsec_");
        String id = added.out().replaceAll("(?s).*(wh_[\\w-]+).*", "$1");

        assertThat(run("webhooks", "list").out()).contains(id, URL).doesNotContain("whsec_");
        assertThat(run("webhooks", "rotate", id).out())
                .containsPattern("secret +whsec_")
                .doesNotContain(added.out().replaceAll("(?s).*(whsec_\\S+).*", "$1"));
        assertThat(run("webhooks", "test", id).out()).contains("message msg_", "waits to be sent");
        assertThat(run("webhooks", "remove", id).out()).contains(id + " is removed.");
        assertThat(run("webhooks", "list").out()).contains("There is no webhook.");
        assertThat(run("audit", "verify").status()).isZero();
    }

    @Test
    void an_unknown_endpoint_event_or_unsafe_url_is_refused() {
        for (String command : new String[] {"rotate", "test", "remove"}) {
            CliRun run = run("webhooks", command, "wh_unknown");
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).contains("there is no webhook wh_unknown");
        }
        assertThat(run("webhooks", "add", URL, "--event", "user.none").err()).contains("no event 'user.none'");
        assertThat(run("webhooks", "add", "http://hooks.example/").err()).contains("must be https");
        assertThat(run("webhooks", "list").out()).contains("There is no webhook.");
    }
}
