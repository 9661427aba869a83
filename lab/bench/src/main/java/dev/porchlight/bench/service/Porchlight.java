// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Launch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Our service, as its launcher starts it.
 *
 * @param javaHome the JDK it runs on
 * @param variables what is set beside the database
 */
record Porchlight(String label, Path javaHome, Map<String, String> variables) implements Application {
    /** A login yields what it yields at the peers: a session. */
    static final Map<String, String> SESSION = Map.of("LOGIN_RESULT", "session");

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        Launch launch =
                Launch.in(directory).with("JAVA_HOME", javaHome.toString()).with("DATABASE_URL", storage.jdbc());
        variables.forEach(launch::with);
        return Running.withOurRoutes(label, launch.launch());
    }
}
