// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.net.URI;

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
