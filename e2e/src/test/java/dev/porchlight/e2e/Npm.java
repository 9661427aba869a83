// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.support.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The npm project in a directory of the repository. */
public final class Npm {
    private final Path directory;

    private Npm(Path directory) {
        this.directory = directory;
    }

    /** Installs the locked dependencies of a project, if they changed. Skips the test if that is not possible. */
    public static Npm install(String directory) throws IOException, InterruptedException {
        Requirements.program("node");
        Npm project = new Npm(Path.of(System.getProperty("porchlight.root"), directory));
        Path installed = project.directory.resolve("node_modules/.installed");
        Path lock = project.directory.resolve("package-lock.json");
        if (!Files.exists(installed)
                || Files.getLastModifiedTime(installed).compareTo(Files.getLastModifiedTime(lock)) < 0) {
            boolean done = project.exitValue("ci", "--prefer-offline", "--no-audit", "--no-fund") == 0;
            Requirements.check(done, "npm could not install the dependencies of " + directory);
            Files.writeString(installed, "");
        }
        return project;
    }

    /** Runs a script of the project, which must succeed. */
    public void run(String script) throws IOException, InterruptedException {
        assertThat(exitValue("run", script)).isZero();
    }

    private int exitValue(String... words) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of(Requirements.program("npm")), Stream.of(words))
                .toList();
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        if (process.exitValue() != 0) {
            System.err.println(printed);
        }
        return process.exitValue();
    }
}
