// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.testkit.server.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A Spring MVC application with one route. Its telemetry is that of its libraries and variables.
 *
 * @param libraries entries of the class path
 * @param options the JVM options
 */
record HelloPeer(String label, List<String> libraries, List<String> options, Map<String, String> variables)
        implements Application {
    /** Writes a log line per request and adds a correlation id, which Micrometer and the Java agent leave to the application. */
    private static final String LINES = "SPRING_PROFILES_ACTIVE";

    /** One without telemetry, the peers, and ours at the end. */
    static List<HelloPeer> all(Path home, String collector) {
        Path target = home.resolve("target");
        List<String> logback = List.of(target.resolve("hello.jar").toString(), target.resolve("logback/*") + "");
        List<String> micrometer =
                List.of(logback.get(0), target.resolve("micrometer/*").toString());
        List<String> ours =
                new ArrayList<>(List.of(logback.get(0), target.resolve("ours/*").toString()));
        for (String library : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String name = Path.of(library).getFileName().toString();
            if (name.startsWith("porchlight-observe") || name.startsWith("slf4j-api")) {
                ours.add(library);
            }
        }
        String agent = "-javaagent:" + target.resolve("agent/opentelemetry-javaagent.jar");
        return List.of(
                new HelloPeer("no telemetry", logback, List.of(), Map.of()),
                new HelloPeer(
                        "Micrometer, OpenTelemetry and logback",
                        micrometer,
                        List.of(),
                        Map.of(
                                LINES,
                                "lines",
                                "MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT",
                                collector + "/v1/traces")),
                new HelloPeer(
                        "OpenTelemetry's Java agent and logback",
                        logback,
                        List.of(agent),
                        Map.of(
                                LINES,
                                "lines",
                                "OTEL_SERVICE_NAME",
                                "hello",
                                "OTEL_LOGS_EXPORTER",
                                "none",
                                "OTEL_EXPORTER_OTLP_ENDPOINT",
                                collector)),
                new HelloPeer("Porchlight", ours, List.of(), Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector)));
    }

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        int port = Ports.free();
        List<String> command =
                new ArrayList<>(List.of(Jdk.OURS.resolve("bin/java").toString()));
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                String.join(File.pathSeparator, libraries),
                "dev.porchlight.peers.hello.Peer",
                "--server.port=" + port));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(variables);
        return Running.withOurRoutes(label, CommandPeer.start(builder, directory, port));
    }
}
