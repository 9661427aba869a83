// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Parses the files of {@code ops/}. JSON is parsed as YAML. */
final class OpsFiles {
    static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    static final Path RULES = ROOT.resolve("ops/prometheus/porchlight.rules.yml");
    static final Path ALERTS = ROOT.resolve("ops/prometheus/porchlight.alerts.yml");
    /** The placeholder address of runbook links. */
    static final String RUNBOOKS = "https://docs.example.com/porchlight";

    static final List<String> DASHBOARDS = List.of("service", "ceremonies", "runtime");

    /** A recording rule (with an empty severity) or an alert. */
    record Rule(String name, String expression, String severity, Map<?, ?> annotations) {}

    /** A panel with queries. */
    record Panel(String dashboard, String title, List<String> queries, Map<?, ?> json) {}

    private OpsFiles() {}

    static List<Map<?, ?>> documents(Path file) {
        try {
            List<Map<?, ?>> documents = new ArrayList<>();
            parse(Files.readString(file)).forEach(document -> documents.add((Map<?, ?>) document));
            return documents;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<?, ?> document(Path file) {
        List<Map<?, ?>> documents = documents(file);
        if (documents.size() != 1) {
            throw new IllegalArgumentException(file + " has " + documents.size() + " documents");
        }
        return documents.get(0);
    }

    static Map<?, ?> json(String text) {
        return (Map<?, ?>) parse(text).iterator().next();
    }

    private static Iterable<Object> parse(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options)).loadAll(text);
    }

    static List<Rule> recorded() {
        return rules(RULES, "record");
    }

    static List<Rule> alerts() {
        return rules(ALERTS, "alert");
    }

    private static List<Rule> rules(Path file, String kind) {
        return maps(document(file).get("groups"))
                .flatMap(group -> maps(group.get("rules")))
                .map(rule -> new Rule(
                        text(rule, kind),
                        text(rule, "expr"),
                        rule.get("labels") instanceof Map<?, ?> labels ? text(labels, "severity") : "",
                        rule.get("annotations") instanceof Map<?, ?> annotations ? annotations : Map.of()))
                .toList();
    }

    static Map<?, ?> dashboard(String name) {
        return document(ROOT.resolve("ops/grafana/dashboards/" + name + ".json"));
    }

    /** Returns the panels of all dashboards, without row headings. */
    static List<Panel> panels() {
        return DASHBOARDS.stream()
                .flatMap(name -> maps(dashboard(name).get("panels"))
                        .filter(panel -> !"row".equals(panel.get("type")))
                        .map(panel -> new Panel(
                                name,
                                text(panel, "title"),
                                maps(panel.get("targets"))
                                        .map(target -> text(target, "expr"))
                                        .toList(),
                                panel)))
                .toList();
    }

    static Stream<Map<?, ?>> maps(Object list) {
        return ((List<?>) list).stream().map(entry -> (Map<?, ?>) entry);
    }

    static String text(Map<?, ?> map, String key) {
        if (map.get(key) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("no text " + key + " in " + map);
    }
}
