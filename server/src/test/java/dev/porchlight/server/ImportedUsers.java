// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import java.util.Map;

/** Users whose passkeys were imported. */
final class ImportedUsers {
    private ImportedUsers() {}

    /** Signs each user in by name, and with the passkey alone, at a service on this database. */
    static void signIn(String database, Map<String, SoftAuthenticator> users) {
        try (Service service = Service.at(database)) {
            users.forEach((name, authenticator) -> {
                service.person(name, authenticator).login().expect(200);
                String options =
                        service.web().get(Person.LOGIN_OPTIONS).expect(200).body();
                service.web()
                        .post(Person.LOGIN_FINISH, new SoftBrowser("http://localhost", authenticator).get(options))
                        .expect(200);
            });
        }
    }
}
