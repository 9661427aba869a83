// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.porchlight.e2e.Program;
import dev.porchlight.e2e.docs.Page.Block;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the page in a built repository. The repository is a copy made of links, so that other tests are not
 * disturbed.
 */
@Timeout(300)
@Tag("slow")
class GettingStartedTest {
    private static final Page PAGE = Page.read("docs/getting-started/README.md");
    private static final String KEEPS_RUNNING = "keeps running";
    private static final Set<String> NOT_LINKED = Set.of(".git", "data", "server", "target", "porchlight");

    @TempDir
    Path repository;

    private final HttpClient http = HttpClient.newHttpClient();
    private int port;

    @Test
    void the_commands_run_unchanged_and_the_program_signs_a_user_in() throws Exception {
        Program.require("bash");
        Program.require("curl");
        requireJars();
        createRepository();
        port = Ports.free();
        Path log = repository.resolve("service.log");
        Process service =
                bash(script(block -> block.note().equals(KEEPS_RUNNING)), log).start();
        try {
            Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> !service.isAlive() || isReady());
            assertThat(service.isAlive()).as(Files.readString(log)).isTrue();

            Path output = repository.resolve("output");
            Process commands =
                    bash(script(block -> block.note().isEmpty()), output).start();
            assertThat(commands.waitFor(3, TimeUnit.MINUTES)).isTrue();

            String printed = Files.readString(output);
            assertThat(commands.exitValue()).as(printed).isZero();
            assertThat(printed)
                    .contains("\"status\":\"ok\"")
                    .contains("No problems found.")
                    .contains("http://localhost:" + port + "/#enroll=enroll_")
                    .contains("RP_ORIGIN")
                    .contains("registered: true")
                    .contains("ada is signed in");
            try (Stream<Path> files = Files.list(repository)) {
                assertThat(files.map(Path::toString))
                        .as("databases left behind")
                        .noneMatch(name -> name.contains(".db"));
            }
        } finally {
            service.descendants().forEach(ProcessHandle::destroy);
            service.destroy();
            service.waitFor(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void the_dependency_matches_the_build() throws IOException {
        String built = Files.readString(Page.ROOT.resolve("passkey/pom.xml"));
        String shown = PAGE.blocks("xml").get(0).code();

        for (String element : new String[] {"artifactId", "version"}) {
            String value = shown.replaceAll("(?s).*(<" + element + ">.*?</" + element + ">).*", "$1");
            assertThat(built).contains(value);
        }
    }

    /** Compares lines without their indentation. */
    @Test
    void the_spring_boot_excerpts_match_the_example() throws IOException {
        Path example = Page.ROOT.resolve("examples/spring-boot");
        String source = "src/main/java/com/example/hello/Access.java";
        Page section = new Page(PAGE.file(), PAGE.text().substring(PAGE.text().indexOf("<!-- spring boot: begin -->")));

        for (var shown : Map.of(
                        "xml", "pom.xml", "properties", "src/main/resources/application.properties", "java", source)
                .entrySet()) {
            String file = lines(Files.readString(example.resolve(shown.getValue())));
            assertThat(section.blocks(shown.getKey()))
                    .as(shown.getKey())
                    .isNotEmpty()
                    .allSatisfy(block -> assertThat(file).contains(lines(block.code())));
        }
        assertThat(Files.readString(Page.ROOT.resolve("spring-boot-starter/pom.xml")))
                .contains("<artifactId>porchlight-spring-boot-starter</artifactId>");
    }

    private static String lines(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
    }

    /** Skips the test in builds without the package phase, because the launcher runs jars. */
    private static void requireJars() {
        if (!Launch.isPackaged()) {
            System.err.println("Skipped: the commands of getting-started.md need the jars of the package phase");
        }
        assumeTrue(Launch.isPackaged(), "this build has no package phase");
    }

    private void createRepository() throws IOException {
        try (Stream<Path> entries = Files.list(Page.ROOT)) {
            for (Path entry : entries.toList()) {
                String name = entry.getFileName().toString();
                if (!NOT_LINKED.contains(name)) {
                    Files.createSymbolicLink(repository.resolve(name), entry);
                }
            }
        }
        Files.copy(
                Page.ROOT.resolve("porchlight"), repository.resolve("porchlight"), StandardCopyOption.COPY_ATTRIBUTES);
        Path app = Files.createDirectories(repository.resolve("server/target/app"));
        for (String part : new String[] {"pom.xml", "src"}) {
            Files.createSymbolicLink(
                    repository.resolve("server").resolve(part),
                    Page.ROOT.resolve("server").resolve(part));
        }
        try (Stream<Path> parts = Files.list(Page.ROOT.resolve("server/target/app"))) {
            for (Path part : parts.filter(Files::isDirectory).toList()) {
                Files.createSymbolicLink(app.resolve(part.getFileName()), part);
            }
        }
        String program = PAGE.blocks("java").get(0).code();
        Files.writeString(repository.resolve("HelloPasskey.java"), program);
        Files.createFile(app.resolve(".built")); // last, so that the build is up to date
    }

    private String script(Predicate<Block> selected) {
        StringBuilder script = new StringBuilder("set -euo pipefail\n");
        PAGE.blocks("sh").stream().filter(selected).forEach(block -> script.append(block.code()));
        return script.toString().replace("localhost:8080", "localhost:" + port);
    }

    private ProcessBuilder bash(String script, Path output) {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(repository.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        String java = System.getProperty("java.home");
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("JAVA_HOME", java);
        builder.environment().put("JAVA_OPTS", "-Xshare:auto"); // skips the slow archive for quick starts
        builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        builder.environment().merge("PATH", java + "/bin", (path, bin) -> bin + ':' + path);
        return builder;
    }

    private boolean isReady() throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/health/ready"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }
}
