// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Section;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The peers' applications in {@code lab/bench/peers}, built when they are asked for. One that cannot be had here is left out, and
 * the report says so. Not thread-safe.
 */
final class Peers {
    static final Path ROOT = Path.of(System.getProperty("porchlight.root", "")).toAbsolutePath();
    private static final Path HOME = ROOT.resolve("lab/bench/peers");

    /** Those that are wanted; all of them unless this is set. */
    private static final String WANTED = System.getProperty("porchlight.bench.peers", "spring,node,go");

    private final PrintStream out;
    private final List<String> leftOut = new ArrayList<>();

    Peers(PrintStream out) {
        this.out = out;
    }

    /** Builds one of them and returns its directory if that went well. */
    List<Path> built(String name) throws InterruptedException {
        if (!List.of(WANTED.split(",", -1)).contains(name)) {
            leaveOut(name, new IOException("porchlight.bench.peers does not name it"));
            return List.of();
        }
        out.println("building the peer " + name + ", which can take minutes the first time");
        try {
            run(ROOT, Map.of(), HOME.resolve("build").toString(), name);
            return List.of(HOME.resolve(name));
        } catch (IOException e) {
            leaveOut(name, e);
            return List.of();
        }
    }

    /** Notes that something could not be had. */
    void leaveOut(String name, Exception cause) {
        out.println(name + " is left out: " + cause.getMessage());
        leftOut.add(name);
    }

    /** Adds a sentence about those that are left out, if there are any. */
    Section remark(Section section) {
        return leftOut.isEmpty()
                ? section
                : section.remark("Could not be had here and is left out: %s.", String.join(", ", leftOut));
    }

    /** Runs a command to its end; what it prints is told if it fails. */
    static void run(Path directory, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("porchlight-bench", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment().putAll(environment);
            int status = builder.start().waitFor();
            if (status != 0) {
                String said = Files.readString(log, StandardCharsets.UTF_8).strip();
                throw new IOException(String.join(" ", command) + " ended with " + status + ":\n"
                        + said.substring(Math.max(0, said.length() - 2_000)));
            }
        } finally {
            Files.delete(log);
        }
    }
}
