// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of the commands, and of the launcher about them. */
class CommandHelpTest {
    private static final CommandLine ROOT = new Cli(
                    Map.of(),
                    environment -> {},
                    new PrintWriter(Writer.nullWriter()),
                    new PrintWriter(Writer.nullWriter()))
            .commands();

    /** Every command and subcommand. */
    static Stream<String> commands() {
        return commands("", ROOT);
    }

    private static Stream<String> commands(String group, CommandLine command) {
        return command.getSubcommands().entrySet().stream()
                .flatMap(each -> Stream.concat(
                        Stream.of(group + each.getKey()), commands(group + each.getKey() + ' ', each.getValue())));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void every_command_explains_itself(String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.add("--help");
        CliRun run = CliRun.of(Map.of(), words.toArray(String[]::new));

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("Usage: porchlight " + command).contains("--help");
        assertThat(run.out().lines().findFirst().orElse("")).endsWith(".").doesNotContain("Usage");
    }

    /** Picocli wraps each entry of a description, so a sentence in two entries would break in its middle. */
    @ParameterizedTest
    @MethodSource("commands")
    void every_line_of_a_description_ends_a_sentence(String command) {
        assertThat(find(command).getCommandSpec().usageMessage().description())
                .allSatisfy(line -> assertThat(line).matches("|.*[.:]"));
    }

    static CommandLine find(String command) {
        CommandLine found = ROOT;
        for (String word : command.split(" ", -1)) {
            found = found.getSubcommands().get(word);
        }
        return found;
    }

    @Test
    void the_launcher_describes_each_command_by_its_header() throws IOException {
        String launcher = Files.readString(Path.of(System.getProperty("porchlight.root"), "porchlight"));

        ROOT.getSubcommands().forEach((name, command) -> {
            String header = command.getCommandSpec().usageMessage().header()[0];
            String text = header.substring(0, 1).toLowerCase(Locale.ROOT) + header.substring(1, header.length() - 1);
            assertThat(launcher)
                    .containsPattern("  \\./porchlight " + name + "( \\S+)* +" + Pattern.quote(text) + "\n");
        });
    }
}
