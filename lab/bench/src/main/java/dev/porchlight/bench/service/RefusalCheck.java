// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.Person;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** Checks that an application verifies logins: one that accepts anything would win every comparison. */
final class RefusalCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Routes routes;
    private final Connection connection;
    private final Person person;

    private RefusalCheck(Routes routes, Connection connection) throws IOException {
        this.routes = routes;
        this.connection = connection;
        person = routes.register("refusals", connection);
    }

    /** Fails unless valid logins are accepted and forged ones are refused. */
    static void run(URI service, Routes routes) throws IOException {
        try (Connection connection = new Connection(service, TIMEOUT)) {
            RefusalCheck check = new RefusalCheck(routes, connection);
            check.expect(true, "a valid response", check.options(), check.person::respond);
            check.expect(false, "a wrong signature", check.options(), check.person::respondWrongly);
            check.expect(
                    false, "a wrong origin", check.options(), it -> check.person.respondFrom("http://localhost:1", it));
            Response used = check.options();
            check.expect(true, "a valid response", used, check.person::respond);
            // with a new signature and sign count, so that only the challenge is wrong
            check.expect(false, "a used challenge", used, check.person::respond);
            check.expect(true, "a valid response after refusals", check.options(), check.person::respond);
        }
    }

    @FunctionalInterface
    private interface Responder {
        String to(Response options);
    }

    private Response options() throws IOException {
        return routes.options(person, connection);
    }

    private void expect(boolean accepted, String what, Response options, Responder responder) throws IOException {
        Response response = routes.finish(person, connection, options, responder.to(options));
        if (response.ok() != accepted) {
            throw new IOException(what + (accepted ? " was refused: " : " was accepted: ") + response);
        }
    }
}
