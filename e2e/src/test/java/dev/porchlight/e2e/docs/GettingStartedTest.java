// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.e2e.docs.Page.Block;
import dev.porchlight.rig.Launch;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.Ports;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the pages for newcomers in an empty directory. The clone that the pages mention is a copy made of links, so that the
 * test builds and writes nothing where other tests run.
 */
@Tag("slow")
class GettingStartedTest {
    private static final Page SERVICE = Page.read("docs/getting-started/service.md");
    private static final Page LIBRARY = Page.read("docs/getting-started/library.md");
    private static final String KEEPS_RUNNING = "keeps running";
    private static final Set<String> NOT_LINKED = Set.of(".git", "data", "server", "target", "porchlight");

    /** The dependencies in the pom.xml of the library page, with those that they bring. */
    private static final Pattern JARS =
            Pattern.compile(".*(porchlight-(base|passkey|testkit)|jackson-core|sqlite-jdbc|slf4j-api)-\\d[^/]*\\.jar");

    @TempDir
    Path clone;

    @TempDir
    Path empty;

    private final HttpClient http = HttpClient.newHttpClient();
    private int port;

    /** The launcher runs jars, which a build that ends before its package phase does not have. */
    @BeforeEach
    void require_jars() {
        Requirements.check(Launch.isPackaged(), "the getting-started pages need the jars of the package phase");
        Requirements.program("bash");
    }

    @Test
    void the_service_starts_in_an_empty_directory_and_its_commands_succeed() throws Exception {
        Requirements.program("curl");
        linkRepository();
        port = Ports.free();
        Path log = clone.resolve("service.log");
        Process service = bash(script(SERVICE, block -> block.note().equals(KEEPS_RUNNING)), log)
                .start();
        try {
            Awaitility.await().until(() -> !service.isAlive() || isReady());
            assertThat(service.isAlive()).as(Files.readString(log)).isTrue();

            assertThat(run(SERVICE))
                    .contains("\"status\":\"ok\"")
                    .contains("No problems found")
                    .contains("http://localhost:" + port + "/#enroll=enroll_")
                    .contains("RP_ORIGIN");
            assertThat(empty.resolve("data")).isDirectory();
        } finally {
            service.descendants().forEach(ProcessHandle::destroy);
            service.destroy();
            service.waitFor(Patience.SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void the_program_of_the_library_page_registers_a_passkey_and_signs_in() throws Exception {
        Path jars = Files.createDirectories(empty.resolve("target/dependency"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (JARS.matcher(entry).matches()) {
                Files.createSymbolicLink(jars.resolve(Path.of(entry).getFileName()), Path.of(entry));
            }
        }
        Files.writeString(
                empty.resolve("HelloPasskey.java"),
                LIBRARY.blocks("java").get(0).code());

        assertThat(run(LIBRARY)).contains("registered: true").contains("ada is signed in");
    }

    private void linkRepository() throws IOException {
        try (Stream<Path> entries = Files.list(Page.ROOT)) {
            for (Path entry : entries.toList()) {
                String name = entry.getFileName().toString();
                if (!NOT_LINKED.contains(name)) {
                    Files.createSymbolicLink(clone.resolve(name), entry);
                }
            }
        }
        Files.copy(Page.ROOT.resolve("porchlight"), clone.resolve("porchlight"), StandardCopyOption.COPY_ATTRIBUTES);
        Path app = Files.createDirectories(clone.resolve("server/target/app"));
        for (String part : new String[] {"pom.xml", "src"}) {
            Files.createSymbolicLink(
                    clone.resolve("server").resolve(part),
                    Page.ROOT.resolve("server").resolve(part));
        }
        try (Stream<Path> parts = Files.list(Page.ROOT.resolve("server/target/app"))) {
            for (Path part : parts.filter(Files::isDirectory).toList()) {
                Files.createSymbolicLink(app.resolve(part.getFileName()), part);
            }
        }
        Files.createFile(app.resolve(".built")); // last, so that the launcher finds no newer source
    }

    /** Runs the commands of the page that have no note, and returns their output. */
    private String run(Page page) throws Exception {
        Path output = clone.resolve("output");
        Process commands =
                bash(script(page, block -> block.note().isEmpty()), output).start();
        assertThat(commands.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(commands.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }

    private String script(Page page, Predicate<Block> filter) {
        StringBuilder script = new StringBuilder("set -euo pipefail\n");
        page.blocks("sh").stream().filter(filter).forEach(block -> script.append(block.code()));
        return script.toString().replace("localhost:8080", "localhost:" + port);
    }

    private ProcessBuilder bash(String script, Path output) {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(empty.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        String java = System.getProperty("java.home");
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("JAVA_HOME", java);
        builder.environment().put("JAVA_OPTS", "-Xshare:auto"); // no class archive, which takes long to create
        builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        builder.environment().merge("PATH", clone + ":" + java + "/bin", (path, first) -> first + ':' + path);
        return builder;
    }

    private boolean isReady() throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/health/ready"))
                .timeout(Patience.LIMIT)
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }
}
