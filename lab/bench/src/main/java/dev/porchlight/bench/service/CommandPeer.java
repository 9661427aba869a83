// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Instance;
import dev.porchlight.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A peer with our routes, configured by environment variables.
 *
 * @param home the build directory
 * @param variables environment variables besides the port and the database
 */
record CommandPeer(String label, Path home, List<String> command, Map<String, String> variables)
        implements Application {
    /** Fastify with SimpleWebAuthn, one process per core. */
    static CommandPeer node(Path home) {
        return new CommandPeer(
                "Fastify, SimpleWebAuthn", home, List.of("node", "server.js"), Map.of("NODE_ENV", "production"));
    }

    /** net/http with duo-labs/webauthn, one process. */
    static CommandPeer go(Path home) {
        String program = home.resolve("target/go-peer").toString();
        return new CommandPeer("Go, duo-labs/webauthn", home, List.of(program), Map.of());
    }

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        int port = Ports.free();
        ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("DATABASE_URL", storage.plain());
        builder.environment().putAll(variables);
        return Running.withOurRoutes(label, start(builder, directory, port));
    }

    /** Starts a process that listens on the port. Appends its output to a log in the directory. */
    static Instance start(ProcessBuilder builder, Path directory, int port) throws IOException {
        Path log = Files.createDirectories(directory).resolve("service.log");
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        return new Instance(builder.start(), port, log);
    }
}
