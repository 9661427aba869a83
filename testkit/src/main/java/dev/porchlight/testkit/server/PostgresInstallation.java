// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL installation on this machine. Runs its programs as an unprivileged user. Immutable. */
final class PostgresInstallation {
    private static final String UNPRIVILEGED = "nobody";

    private final Path binaries;
    private final boolean root;

    private PostgresInstallation(Path binaries, boolean root) {
        this.binaries = binaries;
        this.root = root;
    }

    /** Searches {@code PG_BIN}, Debian's directories (newest version first), and the path. */
    static PostgresInstallation find() throws IOException, MissingProgramException {
        for (Path directory : candidates()) {
            if (Files.isExecutable(directory.resolve("initdb")) && Files.isExecutable(directory.resolve("postgres"))) {
                return new PostgresInstallation(directory, "root".equals(System.getProperty("user.name")));
            }
        }
        throw new MissingProgramException(
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
    String binary(String name) {
        return binaries.resolve(name).toString();
    }

    /** The beginning of commands that run as an unprivileged user, because the server refuses to run as root. */
    List<String> asServerUser() {
        return root ? List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--clear-groups") : List.of();
    }

    /** Gives a file or directory to the server's user. */
    void giveToServerUser(Path file) throws IOException {
        if (root) {
            Files.setOwner(
                    file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(UNPRIVILEGED));
        }
    }

    /** Creates a directory that the server can write to. */
    Path directory(String name) throws IOException {
        // Not java.io.tmpdir: the server runs as another user, which needs access to all parent directories.
        Path home = Files.createTempDirectory(Path.of("/tmp"), name);
        giveToServerUser(home);
        return home;
    }

    /** Runs a program and requires exit status 0. */
    void run(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(asServerUser());
        command.add(binary(program));
        command.addAll(List.of(arguments));
        Program.run(new ProcessBuilder(command).directory(new File("/")));
    }
}
