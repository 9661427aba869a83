// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class archive (CDS or AOT cache) of the start script. */
@Tag("slow")
class QuickStartTest {
    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");
    private static final Path SERVER =
            Path.of(System.getProperty("porchlight.root")).resolve("server");

    @TempDir
    Path directory;

    private Path javaHome = Path.of(System.getProperty("java.home"));

    @BeforeEach
    void createDistribution() throws IOException {
        Path jars = SERVER.resolve("target/app/lib");
        Requirements.check(Files.isDirectory(jars), "quick starts need the jars of the package phase in " + jars);
        Files.createDirectories(directory.resolve("lib"));
        try (var files = Files.list(jars)) {
            for (Path jar : files.toList()) {
                Files.createLink(directory.resolve("lib").resolve(jar.getFileName()), jar);
            }
        }
    }

    @Test
    void the_first_start_creates_an_archive_and_later_starts_use_it_unless_truncated() throws Exception {
        assertThat(start()).contains("preparing quick starts");
        Path archive = archive();
        assertThat(start()).isEmpty();
        assertThat(archive()).isEqualTo(archive);

        archive.toFile().setWritable(true);
        try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "rw")) {
            file.setLength(100_000);
        }
        assertThat(start()).contains("preparing quick starts");
    }

    @Test
    void on_jdk_25_the_archive_is_an_AOT_cache_without_machine_code() throws Exception {
        javaHome = jdk25();
        assertThat(start()).contains("preparing quick starts");

        Path log = directory.resolve("aot");
        assertThat(script("-Xlog:aot*=info:file=" + log)).isEmpty();
        assertThat(log).content().contains("Using AOT-linked classes: true").doesNotContain("AOT code entries");

        // The right size, but corrupt.
        archive().toFile().setWritable(true);
        try (RandomAccessFile file = new RandomAccessFile(archive().toFile(), "rw")) {
            file.write(new byte[100_000]);
        }
        assertThat(script("")).isEmpty();
        assertThat(directory.resolve("out")).content().doesNotContain("[aot");
    }

    @Test
    void a_read_only_directory_or_an_explicit_option_skips_the_archive() throws Exception {
        Files.writeString(directory.resolve("archive"), "not a directory");
        assertThat(script("")).isEmpty();
        Files.delete(directory.resolve("archive"));
        assertThat(script("-Xshare:auto")).isEmpty();
        assertThat(directory.resolve("archive")).doesNotExist();
    }

    @Test
    void a_failed_archive_does_not_prevent_the_start_and_is_not_retried() throws Exception {
        Files.createDirectory(directory.resolve("lib/0.jar")); // a directory in the class path
        Files.writeString(directory.resolve("lib/0.jar/something"), "that prevents an archive");
        script("");
        assertThat(script("")).isEmpty();
    }

    /** Starts the service, checks that its classes come from the archive, and returns its error output. */
    private String start() throws Exception {
        String errors = script("-Xlog:class+load:file=" + directory.resolve("classes"));
        assertThat(Files.readAllLines(directory.resolve("classes")))
                .filteredOn(line -> line.contains(" dev.porchlight.server.App "))
                .singleElement()
                .asString()
                .contains("shared objects file");
        return errors;
    }

    /** Starts the service, waits until it is ready, and returns its error output. */
    private String script(String options) throws Exception {
        Path out = directory.resolve("out");
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(
                        SERVER.resolve("src/main/bin/porchlight").toString(), "serve")
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", javaHome.toString());
        builder.environment().put("JAVA_OPTS", "-XX:TieredStopAtLevel=1 " + options);
        builder.environment().put("PORCHLIGHT_LIB", directory.resolve("lib").toString());
        builder.environment().put("PORT", "0");
        builder.environment().put("DATA_DIR", directory.resolve("data").toString());
        Process process = builder.start();
        try {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> Files.readString(out).contains("Porchlight is ready"));
        } finally {
            process.destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
        return Files.readString(errors);
    }

    /** Returns a JDK 25 or newer: the current one or another one of this machine. */
    private Path jdk25() throws IOException {
        if (Runtime.version().feature() >= 25) {
            return javaHome;
        }
        Path all = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(all)) {
            try (var homes = Files.list(all)) {
                for (Path home : homes.sorted().toList()) {
                    if (feature(home) >= 25) {
                        return home;
                    }
                }
            }
        }
        System.err.println("Skipped: AOT caches need JDK 25 or newer; not found in " + all);
        return Assumptions.abort("no JDK 25 or newer");
    }

    private static int feature(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(release)) {
            return 0;
        }
        Matcher version = VERSION.matcher(Files.readString(release));
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }

    private Path archive() throws IOException {
        try (var files = Files.list(directory.resolve("archive"))) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }
}
