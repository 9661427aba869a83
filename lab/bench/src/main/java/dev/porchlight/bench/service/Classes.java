// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.process.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Our service from a class path, with the JVM options of its launcher.
 *
 * @param variables environment variables besides the port and the database
 */
record Classes(String label, String classPath, Map<String, String> variables) implements Application {
    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        int port = Ports.free();
        ProcessBuilder builder = new ProcessBuilder(
                Jdk.OURS.resolve("bin/java").toString(),
                "-Xss512k",
                "-Xms64m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.provider=dev.porchlight.server.telemetry.LibraryLogProvider",
                "-cp",
                classPath,
                "dev.porchlight.server.Main",
                "serve");
        builder.environment().putAll(variables);
        builder.environment().putAll(Porchlight.SESSION);
        builder.environment()
                .putAll(Map.of(
                        "PORT", Integer.toString(port),
                        "DATA_DIR", directory.resolve("data").toString(),
                        "DATABASE_URL", storage.jdbc(),
                        "RATE_LIMIT_PER_MINUTE", "0",
                        "MALLOC_ARENA_MAX", "2"));
        return Running.withOurRoutes(label, CommandPeer.start(builder, directory, port));
    }
}
