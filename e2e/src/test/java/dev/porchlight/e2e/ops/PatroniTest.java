// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The files for a highly available PostgreSQL agree with each other and keep what they promise. */
class PatroniTest {
    private static final Path FILES = OpsFiles.ROOT.resolve("ops/patroni");

    @Test
    void HAProxy_accepts_its_configuration() throws Exception {
        String haproxy = Requirements.program("haproxy");
        Process check = new ProcessBuilder(
                        haproxy, "-c", "-f", FILES.resolve("haproxy.cfg").toString())
                .redirectErrorStream(true)
                .start();

        String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(output).isZero();
    }

    @Test
    void a_primary_that_is_cut_off_stops_before_its_lease_expires() {
        Map<?, ?> all = dcs();

        assertThat((int) all.get("loop_wait") + 2 * (int) all.get("retry_timeout"))
                .isLessThanOrEqualTo((int) all.get("ttl"));
    }

    @Test
    void no_commit_is_acknowledged_before_it_is_on_a_second_server() {
        Map<?, ?> all = dcs();

        assertThat(all.get("synchronous_mode")).isEqualTo(true);
        assertThat(all.get("synchronous_mode_strict")).isEqualTo(true);
        assertThat(all.toString()).doesNotContain("synchronous_commit", "fsync");
    }

    @Test
    void all_files_name_the_same_servers() throws Exception {
        for (String file : new String[] {"etcd.env", "patroni.yml", "haproxy.cfg"}) {
            assertThat(Files.readString(FILES.resolve(file))).contains("10.0.0.11:", "10.0.0.12:", "10.0.0.13:");
        }
    }

    private static Map<?, ?> dcs() {
        Map<?, ?> file = OpsFiles.document(FILES.resolve("patroni.yml"));
        return (Map<?, ?>) ((Map<?, ?>) file.get("bootstrap")).get("dcs");
    }
}
