// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityCommandTest {
    private static final Path PAGE = Path.of(System.getProperty("porchlight.root"), "docs/operations/scaling.md");
    private static final Pattern EXAMPLE = Pattern.compile("\\$ ./porchlight (capacity .*)\\n((?:.+\\n)+?)```");

    @Test
    void the_examples_in_the_documentation_match_the_output() throws IOException {
        List<String> examples = EXAMPLE.matcher(Files.readString(PAGE))
                .results()
                .map(example -> {
                    assertThat(run(example.group(1).split(" ")).out()).isEqualTo(example.group(2));
                    return example.group(1);
                })
                .toList();

        assertThat(examples).hasSize(3);
    }

    @Test
    void twice_the_logins_need_twice_the_cores_and_twice_the_audit_log() {
        String once = run("capacity", "--users", "1M", "--logins-per-day", "100M", "--registrations-per-day", "0")
                .out();
        String twice = run("capacity", "--users", "1M", "--logins-per-day", "200M", "--registrations-per-day", "0")
                .out();

        assertThat(number(twice, "Instances +\\d+ with 2 cores each; ([0-9.]+)"))
                .isCloseTo(2 * number(once, "Instances +\\d+ with 2 cores each; ([0-9.]+)"), within(0.2));
        assertThat(number(twice, "([0-9.]+) TB a year"))
                .isCloseTo(2 * number(once, "([0-9.]+) TB a year"), within(0.2));
    }

    @Test
    void the_number_of_users_is_enough() {
        CliRun small = run("capacity", "--users", "1000");

        assertThat(small.status()).isZero();
        assertThat(small.out())
                .startsWith("Load         13 logins an hour on average, 50 logins an hour at the peak\n")
                .isEqualTo(run("capacity", "--users", "1K", "--logins-per-day", "300")
                        .out());
        assertThat(run("capacity", "--users", "1000", "--json").out()).contains("\"instances\":2,");
    }

    @ParameterizedTest
    @CsvSource({
        "--users=many, 'many' is not a count",
        "--users=-5, '-5' is not a count",
        "--peak=0.5, --peak must be at least 1",
        "--check-micros=0, --check-micros must be more than 0",
    })
    void invalid_values_are_refused(String option, String message) {
        CliRun run = run("capacity", "--users", "1M", "--logins-per-day", "1M", option);

        assertThat(run.status()).isEqualTo(Cli.INVALID_USAGE);
        assertThat(run.err()).contains(message);
    }

    private static CliRun run(String... arguments) {
        return CliRun.of(Map.of(), arguments);
    }

    private static double number(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .findFirst()
                .orElseThrow();
    }
}
