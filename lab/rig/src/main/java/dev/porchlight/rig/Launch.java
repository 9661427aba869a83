// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import dev.porchlight.support.Patience;
import dev.porchlight.support.ServiceLogs;
import dev.porchlight.testkit.server.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builder for an {@link Instance}: starts it as the launcher does, from the packaged jars, or from the compiled
 * classes in a build that ends before packaging. Data and log are in its directory. Its port is free at first and kept when
 * it restarts. The rate limit is off unless set. Not thread-safe.
 */
public final class Launch {
    private static final Path SERVER =
            Path.of(System.getProperty("porchlight.root", "")).toAbsolutePath().resolve("server");
    private static final String SCRIPT =
            SERVER.resolve("src/main/bin/porchlight").toString();
    private static final String LIB = SERVER.resolve("target/app/lib").toString();
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final Set<String> PREPARED = new HashSet<>();

    private final Path directory;
    private final int port = Ports.free();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> wrapper = new ArrayList<>();

    private Launch(Path directory) {
        this.directory = directory;
        variables.put("PORT", Integer.toString(port));
        variables.put("DATA_DIR", directory.resolve("data").toString());
        variables.put("RATE_LIMIT_PER_MINUTE", "0");
        variables.put("JAVA_HOME", System.getProperty("java.home"));
    }

    /** A launch in a directory, which is created if missing. */
    public static Launch in(Path directory) throws IOException {
        return new Launch(Files.createDirectories(directory));
    }

    /** Sets an environment variable. */
    public Launch with(String variable, String value) {
        variables.put(variable, value);
        return this;
    }

    /** Lets requests wait long, for tests that check what happens and not how fast. */
    public Launch patient() {
        return with("REQUEST_TIMEOUT_MS", Patience.REQUEST_TIMEOUT_MS);
    }

    /** Adds JVM options. */
    public Launch jvm(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Adds a wrapper command that execs the JVM, such as {@code prlimit --nofile=128}. It must not remain the JVM's parent. */
    public Launch behind(String... program) {
        wrapper.clear();
        wrapper.addAll(List.of(program));
        return this;
    }

    /** The value of an environment variable, or empty if it is not set. */
    public String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    /** The environment of the service. */
    public Map<String, String> variables() {
        return Map.copyOf(variables);
    }

    /** The output of the service and its commands. */
    public Path log() {
        return directory.resolve("service.log");
    }

    /** The data directory. */
    public Path data() {
        return Path.of(variable("DATA_DIR"));
    }

    public int port() {
        return port;
    }

    /** Starts the service and waits until it is ready. */
    public Instance start() throws IOException, InterruptedException {
        Instance instance = launch();
        try {
            instance.awaitReady(Patience.LIMIT);
        } catch (IOException e) {
            instance.close();
            throw e;
        }
        return instance;
    }

    /** Runs another command with the same settings, waits for it to end, and returns its exit status. */
    public int call(String... words) throws IOException, InterruptedException {
        try (Instance called = launch(List.of(words))) {
            return called.awaitExit(Patience.LIMIT);
        }
    }

    /** Starts the service without waiting. Appends its output to the log. */
    public Instance launch() throws IOException {
        return launch(List.of("serve"));
    }

    private Instance launch(List<String> words) throws IOException {
        List<String> line = new ArrayList<>(wrapper);
        line.addAll(program());
        line.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().putAll(variables);
        builder.environment().put("JAVA_OPTS", String.join(" ", options));
        builder.environment().put("PORCHLIGHT_LIB", LIB);
        Instance instance = new Instance(builder.start(), port, log());
        ServiceLogs.add(instance, instance::logOrReason);
        return instance;
    }

    /** Creates the class archive for a JDK once, since instances that start concurrently would each create it. */
    private static void prepare(String javaHome) throws IOException {
        synchronized (PREPARED) {
            if (!PREPARED.add(javaHome)) {
                return;
            }
            ProcessBuilder builder = new ProcessBuilder(SCRIPT, "prepare")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().putAll(Map.of("JAVA_HOME", javaHome, "PORCHLIGHT_LIB", LIB));
            try {
                builder.start().waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    /** Whether the build has assembled the jars that the start script runs. */
    public static boolean isPackaged() {
        return !CLASS_PATH.contains(SERVER.resolve("target/classes") + File.pathSeparator);
    }

    /** The start script, or an equivalent command on the compiled classes if the jars are not assembled. */
    private List<String> program() throws IOException {
        if (isPackaged()) {
            prepare(variable("JAVA_HOME"));
            return List.of(SCRIPT);
        }
        List<String> line = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        line.addAll(scriptOptions());
        line.addAll(options);
        line.addAll(List.of("-cp", CLASS_PATH, "dev.porchlight.server.Main"));
        return line;
    }

    /** The JVM options of the start script. */
    private static List<String> scriptOptions() throws IOException {
        Matcher options =
                Pattern.compile("^options=\"(.*)\"$", Pattern.MULTILINE).matcher(Files.readString(Path.of(SCRIPT)));
        if (!options.find()) {
            throw new IOException(SCRIPT + " has no JVM options");
        }
        return List.of(options.group(1)
                .replace("$heap", "-Xms64m")
                .replace("$collector", "-XX:+UseSerialGC")
                .split(" +"));
    }
}
