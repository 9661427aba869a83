// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.database;

import dev.porchlight.rig.process.Program;
import dev.porchlight.testkit.postgres.PostgresInstallation;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The data directory of a new server, created once per process and copied, since {@code initdb} is slow. Thread-safe. */
final class Template {
    private static @Nullable Path shared;

    private Template() {}

    /** Copies the data of a server that was never started to a directory that does not exist yet. */
    static void copyTo(Path data, PostgresInstallation installation, String user)
            throws IOException, InterruptedException {
        Program.run("cp", "-a", template(installation, user).toString(), data.toString());
    }

    private static synchronized Path template(PostgresInstallation installation, String user) throws IOException {
        if (shared == null) {
            Path home = Cluster.home(installation);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Cluster.remove(home)));
            Path data = home.resolve("data");
            installation.run(
                    "initdb", "-D", data.toString(), "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C", "-N");
            shared = data;
        }
        return shared;
    }
}
