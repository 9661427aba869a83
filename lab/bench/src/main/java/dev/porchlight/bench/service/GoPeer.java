// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * net/http with duo-labs/webauthn, one process.
 *
 * @param home where it was built
 */
record GoPeer(Path home) implements Application {
    @Override
    public String label() {
        return "Go, duo-labs/webauthn";
    }

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        int port = Ports.free();
        Path log = Files.createDirectories(directory).resolve("service.log");
        ProcessBuilder builder = new ProcessBuilder(
                        home.resolve("target/go-peer").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("DATABASE_URL", storage.plain());
        return Running.withOurRoutes(label(), new Instance(builder.start(), port, log));
    }
}
