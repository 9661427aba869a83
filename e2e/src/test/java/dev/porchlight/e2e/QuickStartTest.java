// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.support.JavaHome;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class archive (CDS or AOT cache) and the unpacked native libraries of the start script. */
@Tag("slow")
class QuickStartTest {
    private static final Path SERVER =
            Path.of(System.getProperty("porchlight.root")).resolve("server");

    private static final String SCRIPT =
            SERVER.resolve("src/main/bin/porchlight").toString();
    private static final Pattern LOADED = Pattern.compile("Loaded library (/.*), handle");

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
    void a_start_uses_an_archive_and_creates_a_truncated_one_again() throws Exception {
        copyArchive();
        Path archive = archive();
        assertThat(start()).isEmpty();
        assertThat(archive()).isEqualTo(archive);

        archive.resolve("classes").toFile().setWritable(true);
        try (RandomAccessFile file =
                new RandomAccessFile(archive.resolve("classes").toFile(), "rw")) {
            file.setLength(100_000);
        }
        assertThat(start()).contains("preparing quick starts");
        assertThat(start()).isEmpty();
    }

    @Test
    void native_libraries_are_unpacked_once_and_again_if_they_do_not_load() throws Exception {
        copyArchive();
        Path archive = archive();
        assertThat(loadedLibraries()).hasSize(2).allMatch(library -> library.startsWith(archive));

        try (var files = Files.list(archive)) {
            for (Path library : files.filter(file -> !file.endsWith("classes")).toList()) {
                corrupt(library);
            }
        }
        assertThat(loadedLibraries()).hasSize(2).noneMatch(library -> library.startsWith(archive));
        assertThat(directory.resolve("out"))
                .content()
                .contains("verifying signatures with AmazonCorrettoCryptoProvider")
                .doesNotContain("\"error\"");
    }

    @Test
    void on_jdk_25_the_archive_is_an_AOT_cache_without_machine_code() throws Exception {
        javaHome = jdk25();
        assertThat(start()).contains("preparing quick starts");

        Path log = directory.resolve("aot");
        assertThat(script("-Xlog:aot*=info:file=" + log)).isEmpty();
        assertThat(log).content().contains("Using AOT-linked classes: true").doesNotContain("AOT code entries");

        corrupt(archive().resolve("classes"));
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
        Path rehearsal = directory.resolve("lib/0.jar/dev/porchlight/server/Rehearsal.class");
        Files.createDirectories(rehearsal.getParent());
        Files.writeString(rehearsal, "not a class");
        assertThat(script("")).contains("preparing quick starts");
        assertThat(script("")).isEmpty();
    }

    @Test
    void a_signal_ends_the_preparation() throws Exception {
        javaHome = directory.resolve("jdk");
        SleepingProgram java = SleepingProgram.create(javaHome.resolve("bin/java"));
        Files.writeString(javaHome.resolve("release"), "JAVA_VERSION=\"17\"\n");
        Process script = prepare(directory);
        ProcessHandle rehearsal = java.awaitStart();

        script.destroy();

        assertThat(script.waitFor()).isEqualTo(1);
        Awaitility.await().until(() -> !rehearsal.isAlive());
        assertThat(directory.resolve("archive")).isEmptyDirectory();
    }

    /** Copies the archive of the other tests, since creating one takes long. It fits, because the jars are the same files. */
    private void copyArchive() throws Exception {
        Path app = SERVER.resolve("target/app");
        Path archive = Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> prepared(app), Optional::isPresent) // another test may be creating it
                .orElseThrow();
        Path copy = directory.resolve("archive").resolve(archive.getFileName());
        Files.createDirectories(copy);
        try (var files = Files.list(archive)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
    }

    private Optional<Path> prepared(Path app) throws Exception {
        int feature = JavaHome.feature(javaHome);
        assertThat(prepare(app).waitFor()).isZero();
        try (var files = Files.list(app.resolve("archive"))) {
            List<Path> all = files.toList();
            return all.stream().anyMatch(file -> isNamed(file, "draft."))
                    ? Optional.empty()
                    : all.stream()
                            .filter(file -> isNamed(file, "jdk" + feature + '-'))
                            .findFirst();
        }
    }

    private Process prepare(Path app) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(SCRIPT, "prepare").redirectErrorStream(true).redirectOutput(Redirect.DISCARD);
        builder.environment().put("JAVA_HOME", javaHome.toString());
        builder.environment().put("PORCHLIGHT_LIB", app.resolve("lib").toString());
        return builder.start();
    }

    private static boolean isNamed(Path file, String prefix) {
        return file.getFileName().toString().startsWith(prefix);
    }

    /** Overwrites the beginning of a file, whose size stays the same. */
    private static void corrupt(Path path) throws IOException {
        path.toFile().setWritable(true);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(new byte[100_000]);
        }
    }

    /** Starts the service and returns the native libraries that were loaded from files outside the JDK. */
    private List<Path> loadedLibraries() throws Exception {
        Path log = directory.resolve("libraries");
        assertThat(script("-Xlog:library:file=" + log)).doesNotContain("preparing");
        return LOADED.matcher(Files.readString(log))
                .results()
                .map(loaded -> Path.of(loaded.group(1)))
                .filter(library -> !library.startsWith(javaHome))
                .toList();
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
        ProcessBuilder builder =
                new ProcessBuilder(SCRIPT, "serve").redirectOutput(out.toFile()).redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", javaHome.toString());
        builder.environment().put("JAVA_OPTS", "-XX:TieredStopAtLevel=1 " + options);
        builder.environment().put("PORCHLIGHT_LIB", directory.resolve("lib").toString());
        builder.environment().put("PORT", "0");
        builder.environment().put("DATA_DIR", directory.resolve("data").toString());
        Process process = builder.start();
        try {
            Awaitility.await().until(() -> Files.readString(out).contains("Porchlight is ready"));
        } finally {
            process.destroy();
            assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
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
                    if (JavaHome.feature(home) >= 25) {
                        return home;
                    }
                }
            }
        }
        System.err.println("Skipped: AOT caches need JDK 25 or newer; not found in " + all);
        return Assumptions.abort("no JDK 25 or newer");
    }

    private Path archive() throws IOException {
        try (var files = Files.list(directory.resolve("archive"))) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }
}
