// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.net.URI;

/** The registration and login routes of an application. Thread-safe. */
interface Routes {
    Person register(String userId, Connection connection) throws IOException;

    /** Requests login options. */
    TestResponse options(Person person, Connection connection) throws IOException;

    /** Sends a response to these options. */
    TestResponse finish(Person person, Connection connection, TestResponse options, String response) throws IOException;

    /** A whole login. Returns the finish response, or the options response if that was refused. */
    default TestResponse login(Person person, Connection connection) throws IOException {
        TestResponse options = options(person, connection);
        return options.ok() ? finish(person, connection, options, person.respond(options)) : options;
    }

    /** The routes of our service, also used by the Node and Go peers. */
    record OurRoutes(URI origin) implements Routes {
        @Override
        public Person register(String userId, Connection connection) throws IOException {
            return Users.register(connection, origin, userId);
        }

        @Override
        public TestResponse options(Person person, Connection connection) throws IOException {
            return person.at(connection).options();
        }

        @Override
        public TestResponse finish(Person person, Connection connection, TestResponse options, String response)
                throws IOException {
            return person.at(connection).finishLogin(response);
        }
    }
}
