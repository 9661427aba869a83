// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.Person;
import java.io.IOException;

/** The registration and login routes of an application. Thread-safe. */
interface Routes {
    Person register(String userId, Connection connection) throws IOException;

    /** Requests login options. */
    Response options(Person person, Connection connection) throws IOException;

    /** Sends a response to these options. */
    Response finish(Person person, Connection connection, Response options, String response) throws IOException;

    /** A whole login. Returns the finish response, or the options response if that was refused. */
    default Response login(Person person, Connection connection) throws IOException {
        Response options = options(person, connection);
        return options.ok() ? finish(person, connection, options, person.respond(options)) : options;
    }
}
