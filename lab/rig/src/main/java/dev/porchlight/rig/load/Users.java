// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

/**
 * Registers clients, and users whose logins cost little CPU time. Their passkeys have a sign count: concurrent logins of one user may be
 * refused.
 */
public final class Users {
    private Users() {}

    /**
     * Signs up and registers a passkey, as the pages do.
     *
     * @param origin the pages' origin, which differs from the connection's address behind a proxy
     * @throws RefusedException if a step was refused
     */
    public static Person register(Connection connection, URI origin, String userId) throws IOException {
        try {
            String token = expect(
                            Person.SIGNUP, newUser(connection, origin, userId).signUp())
                    .field("token");
            return enroll(connection, origin, userId, token);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Registers a passkey with an enrollment token or the token of a signed-in user. */
    public static Person enroll(Connection connection, URI origin, String userId, String token) throws IOException {
        Person person = newUser(connection, origin, userId);
        Web authorized = person.web().bearer(token);
        TestResponse options = expect(Person.REGISTER_OPTIONS, authorized.get(Person.REGISTER_OPTIONS));
        expect(Person.REGISTER_FINISH, person.finishRegistration(authorized, options));
        return FastAuthenticator.of(person, origin.toString());
    }

    /** Registers a client at a service in localhost mode, which needs no admin token. */
    public static OpenIdClient client(Connection connection, String id) {
        return OpenIdClient.register(new Web(connection), "\"clientId\":\"" + id + '"')
                .withScope("openid profile offline_access");
    }

    private static Person newUser(Connection connection, URI origin, String userId) {
        return new Person(new Web(connection), origin.toString(), userId, SoftAuthenticator.securityKey());
    }

    private static TestResponse expect(String path, TestResponse response) throws RefusedException {
        if (!response.ok()) {
            throw new RefusedException(path, response);
        }
        return response;
    }

    /** The service responded with an error status. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final transient TestResponse response;

        RefusedException(String path, TestResponse response) {
            super(path + " returned " + response);
            this.response = response;
        }

        public TestResponse response() {
            return response;
        }
    }
}
