// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.postgres;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL installation on this machine. Runs its programs as an unprivileged user. Immutable. */
public final class PostgresInstallation {
    private static final String UNPRIVILEGED = "nobody";

    private final Path binaries;
    private final boolean root;

    private PostgresInstallation(Path binaries, boolean root) {
        this.binaries = binaries;
        this.root = root;
    }

    /** Searches {@code PG_BIN}, Debian's directories (newest version first), and the path. */
    public static PostgresInstallation find() throws IOException, PostgresMissingException {
        for (Path directory : candidates()) {
            if (Files.isExecutable(directory.resolve("initdb")) && Files.isExecutable(directory.resolve("postgres"))) {
                return new PostgresInstallation(directory, "root".equals(System.getProperty("user.name")));
            }
        }
        throw new PostgresMissingException(
                "no PostgreSQL server found: install one (Debian: postgresql) or set PG_BIN to its directory");
    }

    private static List<Path> candidates() throws IOException {
        List<Path> directories = new ArrayList<>();
        addTo(directories, System.getenv("PG_BIN"));
        Path debian = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(debian)) {
            try (Stream<Path> versions = Files.list(debian)) {
                versions.sorted(Comparator.comparing((Path version) -> number(version))
                                .reversed())
                        .map(version -> version.resolve("bin"))
                        .forEach(directories::add);
            }
        }
        addTo(directories, System.getenv("PATH"));
        return directories;
    }

    private static void addTo(List<Path> directories, @Nullable String list) {
        if (list != null) {
            for (String directory : list.split(File.pathSeparator, -1)) {
                directories.add(Path.of(directory));
            }
        }
    }

    private static int number(Path version) {
        String name = version.getFileName().toString();
        return name.matches("[0-9]{1,4}") ? Integer.parseInt(name) : 0;
    }

    /** Returns the path of a program. */
    public String binary(String name) {
        return binaries.resolve(name).toString();
    }

    /** Wraps a command to run as an unprivileged user, because the server refuses to run as root. */
    public List<String> asServerUser(List<String> command) {
        if (!root) {
            return command;
        }
        List<String> wrapped = new ArrayList<>(List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--clear-groups"));
        wrapped.addAll(command);
        return wrapped;
    }

    /** Gives a directory to the server's user. */
    public void giveToServerUser(Path directory) throws IOException {
        if (root) {
            Files.setOwner(
                    directory,
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(UNPRIVILEGED));
        }
    }

    /** Runs a program and requires exit status 0. */
    public void run(String program, String... arguments) throws IOException {
        Process process = begin(program, arguments);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (exitOf(process) != 0) {
            throw new IOException(program + " failed: " + output);
        }
    }

    private Process begin(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(binary(program)));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(asServerUser(command))
                .directory(new File("/"))
                .redirectErrorStream(true)
                .start();
    }

    private static int exitOf(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new IOException("interrupted", e);
        }
    }
}
