// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.crypto.SignatureProvider;
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
    private static final List<String> REQUESTS = List.of(
            "GET /health/ready",
            "GET /metrics",
            "GET /",
            "GET /auth/passkey/login/options",
            "POST /auth/passkey/login/finish");
    private static final String PASSKEY = "/auth/passkey/";
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
        try (App app = App.start(config, LogWriter.to(OutputStream.nullOutputStream()), false, routes -> {});
                RehearsalClient client = new RehearsalClient(app.port())) {
            List<String> statuses = new ArrayList<>();
            for (String request : REQUESTS) {
                statuses.add(client.send(request, "", "{}").status());
            }
            String userId = "";
            RehearsalPasskey passkey = null;
            for (int i = 0; i < logins; i++) {
                if (passkey == null || i % LOGINS_PER_USER == 0) {
                    userId = "user-" + i;
                    passkey = new RehearsalPasskey(
                            config.relyingParty().rpId(), config.relyingParty().origin());
                    statuses.add(register(client, userId, passkey));
                }
                statuses.add(login(client, userId, passkey));
            }
            return statuses;
        }
    }

    private static String register(RehearsalClient client, String userId, RehearsalPasskey passkey) throws IOException {
        String token = client.send("POST /auth/signup", "", "{\"userId\":\"" + userId + "\"}")
                .field("token");
        String bearer = "Authorization: Bearer " + token + "\r\n";
        String challenge =
                client.send("GET " + PASSKEY + "register/options", bearer, "").field("challenge");
        return client.send("POST " + PASSKEY + "register/finish", bearer, passkey.create(challenge))
                .status();
    }

    private static String login(RehearsalClient client, String userId, RehearsalPasskey passkey) throws IOException {
        String user = "?userId=" + userId;
        String challenge =
                client.send("GET " + PASSKEY + "login/options" + user, "", "").field("challenge");
        return client.send("POST " + PASSKEY + "login/finish" + user, "", passkey.get(challenge))
                .status();
    }

    private static void remove(Path data) throws IOException {
        try (var files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
