// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** Checks that an application verifies logins: one that accepts anything would win every comparison. */
final class RefusalCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Routes routes;
    private final Connection connection;
    private final Person person;
    private final SoftBrowser browser;

    private RefusalCheck(Routes routes, Connection connection) throws IOException {
        this.routes = routes;
        this.connection = connection;
        person = routes.register("refusals", connection);
        browser = person.browser(); // not the fast authenticator, which counts signatures separately
    }

    /** Fails unless valid logins are accepted and forged ones are refused. */
    static void run(URI service, Routes routes) throws IOException {
        try (Connection connection = new Connection(service, TIMEOUT)) {
            RefusalCheck check = new RefusalCheck(routes, connection);
            check.expect(true, "a valid response", check.options(), check.browser::get);
            check.expect(
                    false,
                    "a wrong signature",
                    check.options(),
                    it -> check.browser.get(it, Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off")));
            check.expect(
                    false,
                    "a wrong origin",
                    check.options(),
                    new SoftBrowser("http://localhost:1", check.browser.authenticator())::get);
            TestResponse used = check.options();
            check.expect(true, "a valid response", used, check.browser::get);
            // with a new signature and sign count, so that only the challenge is wrong
            check.expect(false, "a used challenge", used, check.browser::get);
            check.expect(true, "a valid response after refusals", check.options(), check.browser::get);
        }
    }

    @FunctionalInterface
    private interface Responder {
        String to(String options);
    }

    private TestResponse options() throws IOException {
        return routes.options(person, connection);
    }

    private void expect(boolean accepted, String what, TestResponse options, Responder responder) throws IOException {
        TestResponse response = routes.finish(person, connection, options, responder.to(options.body()));
        if (response.ok() != accepted) {
            throw new IOException(what + (accepted ? " was refused: " : " was accepted: ") + response);
        }
    }
}
