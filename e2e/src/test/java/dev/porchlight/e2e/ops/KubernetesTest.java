// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manifests match the service's settings, ports and paths. */
@Tag("slow")
class KubernetesTest {
    private static final Path MANIFESTS = OpsFiles.ROOT.resolve("ops/kubernetes");
    /** Read by the JVM and the C library, not by the service. */
    private static final Set<String> OTHER_VARIABLES = Set.of("JAVA_OPTS", "MALLOC_ARENA_MAX");

    private static final Map<?, ?> DEPLOYMENT = OpsFiles.document(MANIFESTS.resolve("deployment.yaml"));
    private static final Map<?, ?> POD = at(DEPLOYMENT, "spec", "template", "spec");
    private static final Map<?, ?> CONTAINER =
            OpsFiles.maps(POD.get("containers")).findFirst().orElseThrow();

    private static final Map<?, ?> SECRETS =
            at(OpsFiles.document(MANIFESTS.resolve("secret.example.yaml")), "stringData");

    @TempDir
    Path directory;

    @Test
    void every_manifest_is_valid_and_applied_except_the_examples() throws IOException {
        List<String> applied = strings(OpsFiles.document(MANIFESTS.resolve("kustomization.yaml")), "resources");
        try (Stream<Path> files = Files.list(MANIFESTS)) {
            Set<String> all = files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
            assertThat(all).containsAll(applied);
            all.removeAll(applied);
            assertThat(all)
                    .containsExactlyInAnyOrder(
                            "kustomization.yaml", "overlays", "secret.example.yaml", "servicemonitor.yaml");
        }
        for (String file : applied) {
            assertThat(OpsFiles.documents(MANIFESTS.resolve(file))).isNotEmpty().allSatisfy(manifest -> {
                assertThat(OpsFiles.text(manifest, "apiVersion")).isNotBlank();
                assertThat(OpsFiles.text(manifest, "kind")).isNotBlank();
                assertThat(OpsFiles.text(at(manifest, "metadata"), "name")).startsWith("porchlight");
            });
        }
    }

    @Test
    void the_service_accepts_the_configuration_of_the_manifests() throws Exception {
        Map<String, String> variables = variables();
        Set<String> known = Settings.all().stream().map(Setting::name).collect(Collectors.toSet());
        known.addAll(OTHER_VARIABLES);
        assertThat(known).containsAll(variables.keySet());

        Config config = Config.read(variables);

        assertThat(config.get(Settings.PORT)).isEqualTo(port("http"));
        assertThat(config.get(Settings.MANAGEMENT_PORT)).hasValue(port("management"));
        assertThat(config.get(Settings.HOST)).isEqualTo("0.0.0.0");
        assertThat(config.https()).isTrue();
    }

    @Test
    void the_example_secrets_do_not_start_a_service() {
        Map<String, String> variables = variables();
        put(variables, SECRETS);

        assertThatThrownBy(() -> Config.read(variables))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContainingAll("SESSION_SECRET", "ADMIN_TOKEN", "DATABASE_URL");
    }

    @Test
    void clients_can_be_notified_of_a_logout() {
        assertThat(portsToAnyAddress()).contains(443);
    }

    @Test
    void mails_can_be_sent() {
        assertThat(portsToAnyAddress()).contains(587, 465);
    }

    private static List<Object> portsToAnyAddress() {
        Map<?, ?> policy = OpsFiles.document(MANIFESTS.resolve("network.yaml"));
        return OpsFiles.maps(at(policy, "spec").get("egress"))
                .filter(rule -> rule.get("to") == null)
                .flatMap(rule -> OpsFiles.maps(rule.get("ports")))
                .<Object>map(port -> port.get("port"))
                .toList();
    }

    @Test
    void probes_and_scrapes_use_existing_paths() throws Exception {
        try (App app = start()) {
            int management = app.managementPort();
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                Map<?, ?> get = at(CONTAINER, probe, "httpGet");
                assertThat(get.get("port")).isEqualTo("management");
                assertThat(status(management, OpsFiles.text(get, "path")))
                        .as(probe)
                        .isEqualTo(200);
                assertThat(status(app.port(), OpsFiles.text(get, "path"))).isEqualTo(404);
            }
            Map<?, ?> monitor = OpsFiles.document(MANIFESTS.resolve("servicemonitor.yaml"));
            Map<?, ?> endpoint = OpsFiles.maps(at(monitor, "spec").get("endpoints"))
                    .findFirst()
                    .orElseThrow();
            assertThat(endpoint.get("port")).isEqualTo("management");
            assertThat(status(management, OpsFiles.text(endpoint, "path"))).isEqualTo(200);
        }
    }

    @Test
    void pods_have_a_sufficient_stop_timeout_and_minimal_rights() throws Exception {
        Config config = Config.read(variables());
        long shutdownSeconds = config.get(Settings.SHUTDOWN_DELAY_MS)
                .plus(config.get(Settings.SHUTDOWN_TIMEOUT_MS))
                .toSeconds();
        assertThat((Integer) POD.get("terminationGracePeriodSeconds")).isGreaterThan((int) shutdownSeconds + 5);

        assertThat(POD.get("automountServiceAccountToken")).isEqualTo(false);
        assertThat(at(POD, "securityContext").get("runAsNonRoot")).isEqualTo(true);
        Map<?, ?> securityContext = at(CONTAINER, "securityContext");
        assertThat(securityContext.get("readOnlyRootFilesystem")).isEqualTo(true);
        assertThat(securityContext.get("allowPrivilegeEscalation")).isEqualTo(false);
        assertThat(strings(at(securityContext, "capabilities"), "drop")).containsExactly("ALL");
        assertThat(OpsFiles.maps(CONTAINER.get("volumeMounts")).map(mount -> (Object) mount.get("mountPath")))
                .containsExactlyInAnyOrder("/tmp", "/data");
    }

    @Test
    void selectors_and_port_names_match() {
        Map<?, ?> labels = at(DEPLOYMENT, "spec", "template", "metadata", "labels");
        assertThat(at(DEPLOYMENT, "spec", "selector", "matchLabels")).isEqualTo(labels);
        for (Map<?, ?> service : OpsFiles.documents(MANIFESTS.resolve("service.yaml"))) {
            assertThat(at(service, "spec", "selector")).isEqualTo(labels);
            OpsFiles.maps(at(service, "spec").get("ports"))
                    .forEach(port ->
                            assertThat(port((String) port.get("targetPort"))).isPositive());
        }
        for (String file : List.of("disruption.yaml", "network.yaml")) {
            Map<?, ?> spec = at(OpsFiles.document(MANIFESTS.resolve(file)), "spec");
            Map<?, ?> selector = spec.get("podSelector") == null ? at(spec, "selector") : at(spec, "podSelector");
            assertThat(at(selector, "matchLabels")).isEqualTo(labels);
        }
    }

    private App start() throws Exception {
        var config = Config.read(
                Patience.variables(Map.of("PORT", "0", "MANAGEMENT_PORT", "0", "DATA_DIR", directory + "/data")));
        return App.start(config, LogWriter.to(OutputStream.nullOutputStream()), false, routes -> {});
    }

    private static Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>();
        put(variables, at(OpsFiles.document(MANIFESTS.resolve("configmap.yaml")), "data"));
        put(variables, SECRETS);
        variables.put("SESSION_SECRET", UUID.randomUUID().toString());
        variables.put("ADMIN_TOKEN", UUID.randomUUID().toString());
        variables.computeIfPresent("DATABASE_URL", (name, url) -> url.replace("PASSWORD", "0f8a2c41"));
        OpsFiles.maps(CONTAINER.get("env"))
                .forEach(variable -> variables.put(OpsFiles.text(variable, "name"), OpsFiles.text(variable, "value")));
        return variables;
    }

    private static void put(Map<String, String> variables, Map<?, ?> data) {
        data.keySet().forEach(name -> variables.put((String) name, OpsFiles.text(data, (String) name)));
    }

    private static int port(String name) {
        return OpsFiles.maps(CONTAINER.get("ports"))
                .filter(port -> name.equals(port.get("name")))
                .map(port -> (Integer) port.get("containerPort"))
                .findFirst()
                .orElseThrow();
    }

    private static int status(int port, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static List<String> strings(Map<?, ?> map, String key) {
        return ((List<?>) map.get(key)).stream().map(String.class::cast).toList();
    }

    private static Map<?, ?> at(Map<?, ?> map, String... path) {
        Map<?, ?> found = map;
        for (String key : path) {
            found = (Map<?, ?>) found.get(key);
        }
        return found;
    }
}
