// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.Person;
import java.io.IOException;
import java.net.URI;

/** The routes of our service, also used by the Node and Go peers. */
record OurRoutes(URI origin) implements Routes {
    @Override
    public Person register(String userId, Connection connection) throws IOException {
        return Person.register(connection, origin, userId);
    }

    @Override
    public Response options(Person person, Connection connection) throws IOException {
        return person.options(connection);
    }

    @Override
    public Response finish(Person person, Connection connection, Response options, String response) throws IOException {
        return person.finish(connection, response);
    }
}
