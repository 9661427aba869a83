// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.http;

import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A request to the service. */
@FunctionalInterface
public interface Request {
    TestResponse send() throws IOException;

    /** Sends it, and again after 503, since a service on a busy machine may miss its deadline. */
    default TestResponse send(int mostTries) throws IOException {
        TestResponse response = send();
        for (int tries = 1; tries < mostTries && response.status() == 503; tries++) {
            LockSupport.parkNanos(Duration.ofMillis(250).toNanos());
            response = send();
        }
        return response;
    }
}
