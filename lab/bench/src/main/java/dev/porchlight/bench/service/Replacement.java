// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Our service with some classes replaced by those in {@code lab/bench/peers/telemetry}. All sources are recompiled,
 * so the compiler detects mismatches.
 */
final class Replacement {
    private static final String UNNAMED = "module-info.java";

    private Replacement() {}

    /** Compiles the service with the sources of these directories replacing the classes with the same names. */
    static void compile(Path root, List<String> directories, String classPath, Path output) throws IOException {
        Set<Path> sources = new TreeSet<>();
        Set<Path> replaced = new TreeSet<>(Set.of(Path.of(UNNAMED)));
        for (String directory : directories) {
            Path from = root.resolve("lab/bench/peers/telemetry").resolve(directory);
            for (Path file : javaFiles(from)) {
                sources.add(file);
                replaced.add(from.relativize(file));
            }
        }
        Path server = root.resolve("server/src/main/java");
        for (Path file : javaFiles(server)) {
            if (!replaced.contains(server.relativize(file))) {
                sources.add(file);
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "--release", "17"));
        options.addAll(List.of("-cp", classPath, "-d", output.toString()));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call()) {
                throw new IOException("the service does not compile with " + directories + ":\n" + said);
            }
        }
    }

    /** The jars of a directory, as a class path. */
    static String jars(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.joining(":"));
        }
    }

    private static List<Path> javaFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
