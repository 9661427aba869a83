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
 * The peer applications in {@code lab/bench/peers}, built on demand. Unavailable peers are left out, and
 * the report lists them. Not thread-safe.
 */
final class Peers {
    static final Path ROOT = Path.of(System.getProperty("porchlight.root", "")).toAbsolutePath();
    private static final Path HOME = ROOT.resolve("lab/bench/peers");

    /** The selected peers; all unless set. */
    private static final String WANTED =
            System.getProperty("porchlight.bench.peers", "spring,spring-openid,hello,keycloak,node,go");

    private final PrintStream out;
    private final List<String> leftOut = new ArrayList<>();

    Peers(PrintStream out) {
        this.out = out;
    }

    /** Builds a peer and returns its directory, or empty if the build failed. */
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

    /** Records that a peer is unavailable. */
    void leaveOut(String name, Exception cause) {
        out.println(name + " is left out: " + cause.getMessage());
        leftOut.add(name);
    }

    /** Adds a sentence about unavailable peers, if any. */
    Section remark(Section section) {
        return leftOut.isEmpty()
                ? section
                : section.remark("Unavailable here and left out: %s.", String.join(", ", leftOut));
    }

    /** Runs a command to completion. The exception contains its output if it fails. */
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
                throw new IOException(String.join(" ", command) + " exited with " + status + ":\n"
                        + said.substring(Math.max(0, said.length() - 2_000)));
            }
        } finally {
            Files.delete(log);
        }
    }
}
