// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.config.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Renders the example overlay of the manifests as kustomize does, and refuses what would have no effect there. */
class OverlayTest {
    private static final Path OVERLAY = OpsFiles.ROOT.resolve("ops/kubernetes/overlays/example");
    private static final Map<?, ?> KUSTOMIZATION = OpsFiles.document(OVERLAY.resolve("kustomization.yaml"));

    @Test
    void the_overlay_uses_only_fields_that_this_test_renders() {
        assertThat(KUSTOMIZATION.keySet().stream().map(String.class::cast))
                .containsExactlyInAnyOrder(
                        "apiVersion", "kind", "namespace", "resources", "images", "replicas", "patches");
        OpsFiles.maps(KUSTOMIZATION.get("patches"))
                .forEach(patch -> assertThat(OVERLAY.resolve(OpsFiles.text(patch, "path")))
                        .isRegularFile());
    }

    @Test
    void every_patch_changes_one_resource_and_misspells_no_field() {
        List<Map<?, ?>> base = base();
        for (Map<?, ?> entry : OpsFiles.maps(KUSTOMIZATION.get("patches")).toList()) {
            Map<?, ?> patch = OpsFiles.document(OVERLAY.resolve(OpsFiles.text(entry, "path")));
            List<Map<?, ?>> targets =
                    base.stream().filter(it -> id(it).equals(id(patch))).toList();
            assertThat(targets).as(id(patch)).hasSize(1);
            if (entry.get("target") instanceof Map<?, ?> target) {
                assertThat(target.get("kind") + "/" + target.get("name")).isEqualTo(id(patch));
            }
            assertThat(unknown("", patch, targets.get(0)))
                    .as("fields of " + id(patch) + " that the base does not have")
                    .allMatch(path -> path.startsWith("/data/"));
        }
    }

    @Test
    void the_rendered_manifests_have_the_image_size_and_domain_of_the_overlay() throws Exception {
        List<Map<?, ?>> rendered = render();
        assertThat(rendered)
                .hasSameSizeAs(base())
                .allSatisfy(resource ->
                        assertThat(at(resource, "metadata").get("namespace")).isEqualTo("login"));

        Map<?, ?> deployment = find(rendered, "Deployment/porchlight");
        assertThat(at(deployment, "spec").get("replicas")).isEqualTo(3);
        Map<?, ?> container = OpsFiles.maps(
                        at(deployment, "spec", "template", "spec").get("containers"))
                .findFirst()
                .orElseThrow();
        assertThat(container.get("image")).isEqualTo("registry.example.com/porchlight:1.0.0");
        assertThat(at(container, "resources", "limits").get("memory")).isEqualTo("512Mi");
        assertThat(container.keySet().stream().map(String.class::cast)).contains("readinessProbe", "securityContext");

        Map<String, String> variables = new HashMap<>();
        for (Map<?, ?> data : List.of(
                at(find(rendered, "ConfigMap/porchlight"), "data"),
                at(OpsFiles.document(OpsFiles.ROOT.resolve("ops/kubernetes/secret.example.yaml")), "stringData"))) {
            data.forEach((name, value) -> variables.put((String) name, (String) value));
        }
        variables.put("SESSION_SECRET", UUID.randomUUID().toString());
        variables.put("ADMIN_TOKEN", UUID.randomUUID().toString());
        variables.computeIfPresent("DATABASE_URL", (name, url) -> url.replace("PASSWORD", "0f8a2c41"));
        OpsFiles.maps(container.get("env"))
                .forEach(variable -> variables.put(OpsFiles.text(variable, "name"), OpsFiles.text(variable, "value")));
        assertThat(variables).containsEntry("JAVA_OPTS", "-Xmx256m").containsEntry("MANAGEMENT_PORT", "8081");
        assertThat(Config.read(variables).relyingParty().rpName()).isEqualTo("Example Inc.");
    }

    private static List<Map<?, ?>> base() {
        List<Map<?, ?>> resources = new ArrayList<>();
        for (Object resource : (List<?>) KUSTOMIZATION.get("resources")) {
            Path directory = OVERLAY.resolve((String) resource).normalize();
            assertThat(Files.isRegularFile(directory.resolve("kustomization.yaml")))
                    .isTrue();
            for (Object file : (List<?>)
                    OpsFiles.document(directory.resolve("kustomization.yaml")).get("resources")) {
                resources.addAll(OpsFiles.documents(directory.resolve((String) file)));
            }
        }
        return resources;
    }

    private static List<Map<?, ?>> render() {
        List<Map<?, ?>> rendered = new ArrayList<>();
        for (Map<?, ?> resource : base()) {
            Object result = resource;
            for (Map<?, ?> entry : OpsFiles.maps(KUSTOMIZATION.get("patches")).toList()) {
                Map<?, ?> patch = OpsFiles.document(OVERLAY.resolve(OpsFiles.text(entry, "path")));
                if (id(patch).equals(id(resource))) {
                    result = merge(result, patch);
                }
            }
            result = merge(result, Map.of("metadata", Map.of("namespace", KUSTOMIZATION.get("namespace"))));
            for (Map<?, ?> replicas :
                    OpsFiles.maps(KUSTOMIZATION.get("replicas")).toList()) {
                if (id(resource).equals("Deployment/" + replicas.get("name"))) {
                    result = merge(result, Map.of("spec", Map.of("replicas", replicas.get("count"))));
                }
            }
            rendered.add((Map<?, ?>) withImages(result));
        }
        return rendered;
    }

    /** A strategic merge: objects by member, lists of named objects by name, everything else replaced. */
    private static Object merge(Object base, Object patch) {
        if (base instanceof Map<?, ?> left && patch instanceof Map<?, ?> right) {
            Map<Object, Object> merged = new LinkedHashMap<>(left);
            right.forEach((key, value) -> merged.put(key, merge(left.get(key), value)));
            return merged;
        }
        if (base instanceof List<?> left && patch instanceof List<?> right && areNamed(left) && areNamed(right)) {
            List<Object> merged = new ArrayList<>(left);
            for (Object item : right) {
                int index = indexOf(merged, item);
                if (index < 0) {
                    merged.add(item);
                } else {
                    merged.set(index, merge(merged.get(index), item));
                }
            }
            return merged;
        }
        return patch;
    }

    /** The paths in a patch that do not exist in its target. */
    private static List<String> unknown(String path, Object patch, Object target) {
        List<String> paths = new ArrayList<>();
        if (patch instanceof Map<?, ?> members) {
            members.forEach((key, value) -> {
                String member = path + '/' + key;
                if (target instanceof Map<?, ?> known && known.containsKey(key)) {
                    paths.addAll(unknown(member, value, known.get(key)));
                } else {
                    paths.add(member);
                }
            });
        } else if (patch instanceof List<?> items && target instanceof List<?> known && areNamed(items)) {
            for (Object item : items) {
                int index = indexOf(known, item);
                paths.addAll(index < 0 ? List.of(path + "[]") : unknown(path + "[]", item, known.get(index)));
            }
        }
        return paths;
    }

    private static Object withImages(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> replaced = new LinkedHashMap<>();
            map.forEach((key, member) -> replaced.put(
                    key, key.equals("image") && member instanceof String image ? image(image) : withImages(member)));
            return replaced;
        }
        return value instanceof List<?> list
                ? list.stream().map(OverlayTest::withImages).toList()
                : value;
    }

    private static String image(String image) {
        String name = image.substring(0, image.lastIndexOf(':'));
        return OpsFiles.maps(KUSTOMIZATION.get("images"))
                .filter(it -> name.equals(it.get("name")))
                .map(it -> it.get("newName") + ":" + it.get("newTag"))
                .findFirst()
                .orElse(image);
    }

    private static boolean areNamed(List<?> list) {
        return list.stream().allMatch(item -> item instanceof Map<?, ?> map && map.containsKey("name"));
    }

    private static int indexOf(List<?> list, Object named) {
        for (int i = 0; i < list.size(); i++) {
            if (Objects.equals(((Map<?, ?>) list.get(i)).get("name"), ((Map<?, ?>) named).get("name"))) {
                return i;
            }
        }
        return -1;
    }

    private static Map<?, ?> find(List<Map<?, ?>> resources, String id) {
        return resources.stream().filter(it -> id(it).equals(id)).findFirst().orElseThrow();
    }

    private static String id(Map<?, ?> resource) {
        return OpsFiles.text(resource, "kind") + "/" + OpsFiles.text(at(resource, "metadata"), "name");
    }

    private static Map<?, ?> at(Map<?, ?> map, String... path) {
        Map<?, ?> found = map;
        for (String key : path) {
            found = (Map<?, ?>) found.get(key);
        }
        return found;
    }
}
