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

/** The start script's archive of classes, in a distribution laid out by hand. */
@Tag("slow")
class QuickStartTest {
    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");
    private static final Path SERVER =
            Path.of(System.getProperty("porchlight.root")).resolve("server");

    @TempDir
    Path place;

    private Path javaHome = Path.of(System.getProperty("java.home"));

    @BeforeEach
    void lay_out() throws IOException {
        Path jars = SERVER.resolve("target/app/lib");
        if (!Files.isDirectory(jars)) {
            System.err.println("Skipped: quick starts need the jars that package lays out");
        }
        Assumptions.assumeTrue(Files.isDirectory(jars), "there are no jars before the package phase: " + jars);
        Files.createDirectories(place.resolve("lib"));
        try (var files = Files.list(jars)) {
            for (Path jar : files.toList()) {
                Files.createLink(place.resolve("lib").resolve(jar.getFileName()), jar);
            }
        }
    }

    @Test
    void the_first_start_makes_an_archive_and_all_starts_use_it_unless_it_was_cut_short() throws Exception {
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
    void from_jdk_25_on_the_archive_is_an_AOT_cache_without_machine_code() throws Exception {
        javaHome = jdk25();
        assertThat(start()).contains("preparing quick starts");

        Path log = place.resolve("aot");
        assertThat(script("-Xlog:aot*=info:file=" + log)).isEmpty();
        assertThat(log).content().contains("Using AOT-linked classes: true").doesNotContain("AOT code entries");

        // Of the right size, and unusable.
        archive().toFile().setWritable(true);
        try (RandomAccessFile file = new RandomAccessFile(archive().toFile(), "rw")) {
            file.write(new byte[100_000]);
        }
        assertThat(script("")).isEmpty();
        assertThat(place.resolve("out")).content().doesNotContain("[aot");
    }

    @Test
    void a_directory_that_cannot_be_written_to_and_a_user_who_decides_himself_get_a_plain_start() throws Exception {
        Files.writeString(place.resolve("archive"), "not a directory");
        assertThat(script("")).isEmpty();
        Files.delete(place.resolve("archive"));
        assertThat(script("-Xshare:auto")).isEmpty();
        assertThat(place.resolve("archive")).doesNotExist();
    }

    @Test
    void a_jvm_that_cannot_make_one_starts_all_the_same_and_does_not_try_again() throws Exception {
        Files.createDirectory(place.resolve("lib/0.jar")); // a directory in the class path
        Files.writeString(place.resolve("lib/0.jar/something"), "that no archive can be made of");
        script("");
        assertThat(script("")).isEmpty();
    }

    /** Starts, sees that the service's own classes came out of the archive, and returns what was complained of. */
    private String start() throws Exception {
        String errors = script("-Xlog:class+load:file=" + place.resolve("classes"));
        assertThat(Files.readAllLines(place.resolve("classes")))
                .filteredOn(line -> line.contains(" dev.porchlight.server.App "))
                .singleElement()
                .asString()
                .contains("shared objects file");
        return errors;
    }

    /** Serves until it is ready, and returns what was complained of. */
    private String script(String options) throws Exception {
        Path out = place.resolve("out");
        Path errors = place.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(
                        SERVER.resolve("src/main/bin/porchlight").toString(), "serve")
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", javaHome.toString());
        builder.environment().put("JAVA_OPTS", "-XX:TieredStopAtLevel=1 " + options);
        builder.environment().put("PORCHLIGHT_LIB", place.resolve("lib").toString());
        builder.environment().put("PORT", "0");
        builder.environment().put("DATA_DIR", place.resolve("data").toString());
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

    /** The JDK of this test, or another one of this machine. */
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
        System.err.println("Skipped: AOT caches need JDK 25 or newer, and there is none in " + all);
        return Assumptions.abort("there is no JDK 25 or newer");
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
        try (var files = Files.list(place.resolve("archive"))) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }
}
