// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Program;
import dev.porchlight.e2e.Service;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Variable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/deploying.md shows and names: files that are there, variables the service knows, configurations that work. */
class DeployingDocTest {
    /** Names in capitals that are no variables of the service. */
    private static final List<String> OTHERS = List.of(
            "JAVA_OPTS",
            "JDK_JAVA_OPTIONS",
            "MAVEN_ARGS",
            "SHA256SUMS",
            "PASSWORD",
            "REGION",
            "PROJECT",
            "REPOSITORY",
            "END");

    @TempDir
    Path directory;

    @Test
    void every_variable_it_sets_is_one() throws IOException {
        List<String> variables =
                Arrays.stream(Variable.values()).map(Enum::name).toList();

        assertThat(groups("\\b([A-Z][A-Z_]{2,}[A-Z])=")).isNotEmpty().isSubsetOf(variables);
        assertThat(groups("`([A-Z][A-Z0-9_]{3,})[`=]"))
                .isNotEmpty()
                .allMatch(name -> variables.contains(name) || OTHERS.contains(name));
    }

    @Test
    void every_file_it_names_is_there() throws IOException {
        assertThat(groups("\\b(ops/[\\w/.-]*\\w)"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(OpsFiles.ROOT.resolve(name)).exists());
    }

    @Test
    void prometheus_takes_its_scrape_configuration() throws Exception {
        for (String file : List.of("porchlight.rules.yml", "porchlight.alerts.yml")) {
            Files.copy(OpsFiles.ROOT.resolve("ops/prometheus").resolve(file), directory.resolve(file));
        }
        Path config = Files.writeString(directory.resolve("prometheus.yml"), block("yaml"));

        run(Program.require("promtool"), "check", "config", config.toString());
    }

    @Test
    void links_to_the_runbook_get_the_address_that_its_command_sets() throws Exception {
        Path alerts = Files.copy(OpsFiles.ALERTS, directory.resolve("porchlight.alerts.yml"));
        String command = groups("\\n(sed -i .*)\\n").get(0);

        run("sh", "-c", "cd '" + directory + "' && " + command);

        assertThat(Files.readString(alerts))
                .doesNotContain(OpsFiles.RUNBOOKS)
                .contains("runbook_url: https://wiki.mycompany.example/porchlight/runbook.md#porchlightdown");
    }

    @Test
    void the_container_is_run_with_every_port_published_and_a_token_for_the_console() throws IOException {
        String image = Files.readString(OpsFiles.ROOT.resolve("ops/container/Containerfile"));
        String page = Files.readString(OpsFiles.ROOT.resolve("docs/deploying.md"));
        var exposed = Pattern.compile("^EXPOSE (.*)$", Pattern.MULTILINE).matcher(image);
        assertThat(exposed.find()).isTrue();

        for (String text : List.of(image, page)) {
            String command = text.replaceAll("\\\\\\n#?", "")
                    .lines()
                    .filter(line -> line.contains("podman run"))
                    .findFirst()
                    .orElseThrow();
            assertThat(command).contains("-e ADMIN_TOKEN");
            for (String port : exposed.group(1).split(" ", -1)) {
                assertThat(command).containsPattern("-p \\S*\\b" + port + ":" + port + "\\b");
            }
        }
    }

    @Test
    void haproxy_sends_requests_to_what_is_ready_and_says_for_whom() throws Exception {
        String haproxy = Program.require("haproxy");
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        var variables = Map.of(
                "PORT", "0", "MANAGEMENT_PORT", "0", "TRUSTED_PROXIES", "127.0.0.1", "DATA_DIR", directory + "/data");
        try (App app = App.start(Config.read(variables), LogWriter.to(log), false, routes -> {})) {
            int front = Service.freePort();
            // The names and addresses are yours; here both servers are one, and without a certificate there is no TLS.
            String config = block("haproxy")
                    .replaceAll("bind :443 .*", "bind 127.0.0.1:" + front)
                    .replaceAll("10\\.0\\.0\\.1\\d:8080", "127.0.0.1:" + app.port())
                    .replace("port 8081", "port " + app.managementPort());
            Path file = Files.writeString(directory.resolve("haproxy.cfg"), config);
            Process process = new ProcessBuilder(haproxy, "-f", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("haproxy.log").toFile())
                    .start();
            try {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .ignoreExceptions()
                        .untilAsserted(() -> assertThat(answer(front)).startsWith("HTTP/1.1 200 "));
            } finally {
                process.destroy();
                process.waitFor();
            }
        } // closing writes the log lines that are left
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("\"client\":\"127.0.0.2\"");
    }

    /** Comes from another address than the proxy's, which haproxy has to hand on. */
    private static String answer(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port, InetAddress.getByName("127.0.0.2"), 0)) {
            socket.getOutputStream()
                    .write("GET /auth/passkey/login/options HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String page() throws IOException {
        return Files.readString(OpsFiles.ROOT.resolve("docs/deploying.md"));
    }

    private static String block(String language) throws IOException {
        return groups("(?s)```" + language + "\n(.*?)```").get(0);
    }

    private static List<String> groups(String pattern) throws IOException {
        try (Stream<String> found =
                Pattern.compile(pattern).matcher(page()).results().map(match -> match.group(1))) {
            return found.distinct().toList();
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
