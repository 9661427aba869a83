// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Launch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Our service, started by its launcher.
 *
 * @param javaHome the JDK
 * @param variables environment variables besides the database
 */
record Porchlight(String label, Path javaHome, Map<String, String> variables) implements Application {
    /** A login returns only a session, as at the peers. */
    static final Map<String, String> SESSION = Map.of("LOGIN_RESULT", "session");

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        Launch launch =
                Launch.in(directory).with("JAVA_HOME", javaHome.toString()).with("DATABASE_URL", storage.jdbc());
        variables.forEach(launch::with);
        return Running.withOurRoutes(label, launch.launch());
    }
}
