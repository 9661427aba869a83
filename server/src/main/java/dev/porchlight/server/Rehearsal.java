// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.rehearsal.SimulatedUser;
import dev.porchlight.server.storage.SqliteLibrary;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Runs the service on a free port with temporary data, sends the first requests of a new deployment, registers a passkey,
 * signs in many times, and stops. {@code bin/porchlight} archives the classes that are loaded, and from JDK 25 on the profile of
 * hot methods. Also unpacks the native libraries for later starts.
 */
public final class Rehearsal {
    private static final int LOGINS_PER_USER = 100;

    private Rehearsal() {}

    /** Expects the number of logins and the directory for the native libraries. */
    public static void main(String[] arguments) throws IOException, InvalidConfigException {
        Path libraries = Path.of(arguments[1]);
        SqliteLibrary.unpack(libraries);
        SignatureProvider.unpack(libraries);
        Path data = Files.createTempDirectory("porchlight-rehearsal");
        try {
            perform(data, Integer.parseInt(arguments[0]));
        } finally {
            remove(data);
        }
        System.exit(0);
    }

    /** Returns the status line of each response. */
    static List<String> perform(Path data, int logins) throws IOException, InvalidConfigException {
        Config config = Config.read(Map.of(
                "PORT", "0", "HOST", "127.0.0.1", "DATA_DIR", data.toString(), "RATE_LIMIT_PER_MINUTE", "1000000"));
        try (App app = App.start(config, LogWriter.to(OutputStream.nullOutputStream()), false, routes -> {})) {
            List<String> statuses = new ArrayList<>(SimulatedUser.firstRequests(app.url()));
            SimulatedUser user = null;
            for (int i = 0; i < logins; i++) {
                if (user == null || i % LOGINS_PER_USER == 0) {
                    user = new SimulatedUser("user-" + i, app.url(), config.relyingParty());
                    statuses.add(user.register());
                }
                statuses.add(user.login());
            }
            return statuses;
        }
    }

    private static void remove(Path data) throws IOException {
        try (var files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
