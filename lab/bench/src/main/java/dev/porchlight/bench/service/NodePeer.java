// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Fastify with SimpleWebAuthn, one process a core.
 *
 * @param home where it was built
 */
record NodePeer(Path home) implements Application {
    @Override
    public String label() {
        return "Fastify, SimpleWebAuthn";
    }

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        int port = Ports.free();
        Path log = Files.createDirectories(directory).resolve("service.log");
        ProcessBuilder builder = new ProcessBuilder("node", "server.js")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("DATABASE_URL", storage.plain());
        builder.environment().put("NODE_ENV", "production");
        return Running.withOurRoutes(label(), new Instance(builder.start(), port, log));
    }
}
