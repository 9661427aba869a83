// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.Person;
import java.io.IOException;

/** How people register and log in at an application. Thread-safe. */
interface Routes {
    Person register(String userId, Connection connection) throws IOException;

    /** Requests the options of a login. */
    Response options(Person person, Connection connection) throws IOException;

    /** Sends a response to these options. */
    Response finish(Person person, Connection connection, Response options, String response) throws IOException;

    /** A whole login: the answer to its end, or to the options if they were refused. */
    default Response login(Person person, Connection connection) throws IOException {
        Response options = options(person, connection);
        return options.ok() ? finish(person, connection, options, person.respond(options)) : options;
    }
}
