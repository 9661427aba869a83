// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.testkit.files.FastDirectory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The attack as an operator runs it: with the admin token, on a service with its default limits, which it waits for. */
@Tag("slow")
class DefaultLimitsAttackTest {
    private static final String TOKEN = "an admin token for tests";

    @Test
    void the_whole_attack_runs_to_its_end_and_nothing_gets_through() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Launch launch = Launch.in(FastDirectory.fresh())
                .patient()
                .jvm("-XX:TieredStopAtLevel=1")
                .with("RATE_LIMIT_PER_MINUTE", "120")
                .with("ADMIN_TOKEN", TOKEN);
        int status;
        try (Instance service = launch.start()) {
            status = Main.run(
                    List.of(service.address().toString(), "--rounds", "3", "--minutes", "2"),
                    Map.of("ADMIN_TOKEN", TOKEN),
                    out,
                    out);
        }

        String report = printed.toString(StandardCharsets.UTF_8);
        assertThat(status).as(report).isZero();
        assertThat(report)
                .contains("Nothing got through", "  old-sign-ins ")
                .doesNotContain("could not be removed", "the rest of the group")
                .containsPattern("  lock-out +3 +3 +0 ")
                .containsPattern("  openid-bounds +[345] +[345] +0 +[01]"); // a slow machine cannot send a flood
    }
}
