// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import dev.porchlight.support.Patience;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Compose file, as far as it can be checked without a container engine. */
class ComposeTest {
    private static final Path OPS = OpsFiles.ROOT.resolve("ops");
    private static final Map<?, ?> FILE = OpsFiles.document(OPS.resolve("compose.yaml"));
    private static final Map<?, ?> SERVICES = (Map<?, ?>) FILE.get("services");

    private static final String PASSWORD = "0f8a2c41";

    @TempDir
    Path directory;

    @Test
    void every_file_volume_and_dependency_exists() {
        assertThat(names(SERVICES)).containsExactlyInAnyOrder("porchlight", "postgres", "prometheus", "grafana");
        for (String name : names(SERVICES)) {
            Map<?, ?> service = service(name);
            for (String[] mount : mounts(service)) {
                if (mount[0].startsWith(".")) {
                    assertThat(OPS.resolve(mount[0])).as(name).exists();
                    assertThat(mount[mount.length - 1]).as(mount[0]).isEqualTo("ro");
                } else {
                    assertThat(names((Map<?, ?>) FILE.get("volumes"))).as(name).contains(mount[0]);
                }
            }
            Object dependencies = service.get("depends_on");
            assertThat(names(SERVICES))
                    .containsAll(
                            dependencies instanceof Map<?, ?> map
                                    ? names(map)
                                    : dependencies == null ? Set.of() : Set.copyOf(strings(dependencies)));
            assertThat(OpsFiles.text(service, "image"))
                    .as(name)
                    .matches(name.equals("porchlight") ? "\\S+:\\d[\\w.-]*" : "\\S+:v?\\d[\\w.-]*@sha256:[0-9a-f]{64}");
        }
        Map<?, ?> build = (Map<?, ?>) service("porchlight").get("build");
        assertThat(OPS.resolve(OpsFiles.text(build, "context"))
                        .resolve(OpsFiles.text(build, "dockerfile"))
                        .normalize())
                .isEqualTo(OPS.resolve("container/Containerfile"))
                .exists();
    }

    @Test
    void ports_are_published_on_loopback_only() {
        for (String name : names(SERVICES)) {
            Object ports = service(name).get("ports");
            assertThat(ports == null ? List.of() : strings(ports)).allMatch(port -> port.startsWith("127.0.0.1:"));
        }
    }

    @Test
    void the_service_accepts_its_configuration() throws Exception {
        Set<String> known = Settings.all().stream().map(Setting::name).collect(Collectors.toSet());
        known.add("JAVA_OPTS");
        assertThat(known).containsAll(variables().keySet());

        Config config = Config.read(variables());

        assertThat(config.relyingParty().origin()).isEqualTo("http://localhost:8080");
        Map<?, ?> database = (Map<?, ?>) service("postgres").get("environment");
        assertThat(variables().get("DATABASE_URL"))
                .isEqualTo("postgres://" + OpsFiles.text(database, "POSTGRES_USER") + ':' + PASSWORD + "@postgres/"
                        + OpsFiles.text(database, "POSTGRES_DB"));
        long shutdown = config.get(Settings.SHUTDOWN_DELAY_MS)
                .plus(config.get(Settings.SHUTDOWN_TIMEOUT_MS))
                .toSeconds();
        assertThat(Long.parseLong(OpsFiles.text(service("porchlight"), "stop_grace_period")
                        .replace("s", "")))
                .isGreaterThan(shutdown);
    }

    @Test
    void the_file_contains_no_secret() {
        for (String name : names(SERVICES)) {
            if (service(name).get("environment") instanceof Map<?, ?> environment) {
                for (String variable : names(environment)) {
                    String value = OpsFiles.text(environment, variable);
                    if (variable.matches(".*(SECRET|TOKEN|PASSWORD)") || value.contains("@")) {
                        assertThat(value).as(variable).matches("\\$\\{.*}|[^@]*:\\$\\{.*}@.*");
                    }
                }
            }
        }
    }

    @Test
    void prometheus_scrapes_the_management_port() throws Exception {
        Map<?, ?> scrape = OpsFiles.maps(
                        OpsFiles.document(OPS.resolve("compose/prometheus.yml")).get("scrape_configs"))
                .findFirst()
                .orElseThrow();
        String target = "porchlight:" + variables().get("MANAGEMENT_PORT");
        assertThat(scrape.toString()).contains("job_name=porchlight", "targets=[" + target + "]");

        Map<String, String> variables = new HashMap<>(variables());
        variables.put("DATABASE_URL", "jdbc:sqlite:" + directory.resolve("porchlight.db"));
        variables.put("DATA_DIR", directory.toString());
        variables.put("PORT", "0");
        variables.put("MANAGEMENT_PORT", "0");
        variables.put("RP_ORIGIN", "http://localhost:8080");
        variables.put("HOST", "127.0.0.1");
        try (App app = App.start(
                        Config.read(Patience.variables(variables)),
                        LogWriter.to(OutputStream.nullOutputStream()),
                        false,
                        routes -> {});
                Socket socket = new Socket("127.0.0.1", app.managementPort())) {
            socket.getOutputStream()
                    .write(("GET /metrics HTTP/1.1\r\nHost: " + target + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("# TYPE ");
        }
    }

    @Test
    void prometheus_accepts_the_mounted_configuration() throws Exception {
        String config = "";
        for (String[] mount : mounts(service("prometheus"))) {
            if (mount[0].startsWith(".")) {
                Path file = directory.resolve(Path.of(mount[1]).getFileName().toString());
                Files.copy(OPS.resolve(mount[0]), file);
                config = file.endsWith("prometheus.yml") ? file.toString() : config;
            }
        }
        Process check = new ProcessBuilder(Requirements.program("promtool"), "check", "config", config)
                .redirectErrorStream(true)
                .start();
        String printed = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(printed).isZero();
    }

    @Test
    void grafana_finds_prometheus_and_the_dashboards() {
        Map<?, ?> source = OpsFiles.maps(
                        OpsFiles.document(OPS.resolve("compose/datasource.yml")).get("datasources"))
                .findFirst()
                .orElseThrow();
        assertThat(OpsFiles.text(source, "url")).isEqualTo("http://prometheus:9090");
        Map<?, ?> provider = OpsFiles.maps(
                        OpsFiles.document(OPS.resolve("grafana/provisioning/dashboards/porchlight.yml"))
                                .get("providers"))
                .findFirst()
                .orElseThrow();
        String path = OpsFiles.text((Map<?, ?>) provider.get("options"), "path");
        assertThat(mounts(service("grafana")).stream().map(mount -> mount[0] + ' ' + mount[1]))
                .contains("./grafana/dashboards " + path);
    }

    /** The environment of the service, with the defaults of interpolated variables; those without one are left out. */
    private static Map<String, String> variables() {
        Map<?, ?> environment = (Map<?, ?>) service("porchlight").get("environment");
        Map<String, String> variables = new HashMap<>();
        for (String name : names(environment)) {
            String value =
                    OpsFiles.text(environment, name).replaceFirst("(?<=.)\\$\\{POSTGRES_PASSWORD:\\?[^}]*}", PASSWORD);
            if (!value.contains(":?")) {
                variables.put(name, value.replaceFirst("^\\$\\{\\w+:-(.*)}$", "$1"));
            }
        }
        return variables;
    }

    private static Map<?, ?> service(String name) {
        return (Map<?, ?>) SERVICES.get(name);
    }

    private static List<String[]> mounts(Map<?, ?> service) {
        return strings(service.get("volumes")).stream()
                .map(mount -> mount.split(":", -1))
                .toList();
    }

    private static List<String> strings(Object list) {
        return ((List<?>) list).stream().map(String.class::cast).toList();
    }

    private static Set<String> names(Map<?, ?> map) {
        return map.keySet().stream().map(String.class::cast).collect(Collectors.toSet());
    }
}
