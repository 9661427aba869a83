// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.newestjdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.porchlight.support.JavaHome;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiles with the newest JDK on this machine if it is newer than the JDK of the build. Writes no classes. */
class NewestJdkTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    /** Where Linux distributions, SDKMAN and macOS install JDKs, and the path of the JDK within. */
    private static final String[][] INSTALLATIONS = {
        {"/usr/lib/jvm", ""},
        {System.getProperty("user.home") + "/.sdkman/candidates/java", ""},
        {"/Library/Java/JavaVirtualMachines", "Contents/Home"}
    };

    @TempDir
    Path directory;

    private Path javac;

    @BeforeEach
    void findNewestJdk() throws IOException {
        int newest = Runtime.version().feature();
        for (String[] installation : INSTALLATIONS) {
            for (Path each : list(Path.of(installation[0]), "*")) {
                Path home = each.resolve(installation[1]);
                int feature = JavaHome.feature(home);
                if (feature > newest && Files.isExecutable(home.resolve("bin/javac"))) {
                    newest = feature;
                    javac = home.resolve("bin/javac");
                }
            }
        }
        assumeTrue(javac != null, "no newer JDK on this machine");
    }

    @Test
    void sources_and_tests_of_all_modules_compile() throws Exception {
        List<Path> sources = new ArrayList<>();
        for (Path parent : List.of(ROOT, ROOT.resolve("lab"))) {
            for (Path module : list(parent, "*")) {
                sources.addAll(sources(module));
            }
        }
        compile(sources, System.getProperty("java.class.path"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"observe-spring-boot", "spring-boot", "spring-oauth2-login"})
    void examples_compile(String name) throws Exception {
        Path example = ROOT.resolve("examples").resolve(name);
        List<Path> jars = list(example.resolve("target"), "*.jar");
        assumeTrue(!jars.isEmpty(), "this build has not packaged " + example);
        StringBuilder classPath = new StringBuilder();
        try (FileSystem jar = FileSystems.newFileSystem(jars.get(0))) {
            for (Path library : list(jar.getPath("BOOT-INF/lib"), "*.jar")) {
                Path copy = directory.resolve(library.getFileName().toString());
                Files.copy(library, copy);
                classPath.append(copy).append(File.pathSeparatorChar);
            }
        }

        compile(sources(example), classPath + System.getProperty("java.class.path"));
    }

    private void compile(List<Path> sources, String classPath) throws Exception {
        assertThat(sources).isNotEmpty();
        List<String> arguments = new ArrayList<>(List.of(
                "--release", "17", "-proc:none", "-nowarn", "-XDshould-stop.ifNoError=FLOW", "-cp", quoted(classPath)));
        sources.forEach(source -> arguments.add(quoted(source.toString())));
        Path file = Files.write(directory.resolve("arguments"), arguments);
        Path output = directory.resolve("output");

        Process process = new ProcessBuilder(
                        javac.toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        // The compiler starts with a heap of 8 MB, and would collect it 500 times.
                        "-J-Xms1g",
                        "-J-Xmn512m",
                        "@" + file)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(process.waitFor()).as(Files.readString(output)).isZero();
    }

    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\") + '"';
    }

    private static List<Path> sources(Path module) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String kind : List.of("main", "test")) {
            Path top = module.resolve("src").resolve(kind).resolve("java");
            if (Files.isDirectory(top)) {
                try (Stream<Path> files = Files.walk(top)) {
                    files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("module-info.java"))
                            .forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static List<Path> list(Path directory, String glob) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
            entries.forEach(found::add);
        }
        return found;
    }
}
