// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A request to the service. */
@FunctionalInterface
public interface Request {
    Response send() throws IOException;

    /** Sends it, and again after 503, since a service on a busy machine may miss its deadline. */
    default Response send(int mostTries) throws IOException {
        Response response = send();
        for (int tries = 1; tries < mostTries && response.status() == 503; tries++) {
            LockSupport.parkNanos(Duration.ofMillis(250).toNanos());
            response = send();
        }
        return response;
    }
}
