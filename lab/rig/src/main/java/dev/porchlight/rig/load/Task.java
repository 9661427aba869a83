// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Connection;
import java.io.IOException;

/** An operation that a worker of a loop repeats, such as a login. Confined to one thread. */
@FunctionalInterface
public interface Task extends AutoCloseable {
    /** Runs the task once and returns the decisive response's status. */
    int run() throws IOException;

    @Override
    default void close() {}

    /** Requests over one connection. */
    @FunctionalInterface
    interface Requests {
        /** Sends the requests and returns the decisive response's status. */
        int send(Connection connection) throws IOException;
    }

    /** A task on its own connection. */
    static Task over(Connection connection, Requests requests) {
        return new Task() {
            @Override
            public int run() throws IOException {
                return requests.send(connection);
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }
}
