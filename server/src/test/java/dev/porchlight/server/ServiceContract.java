// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Behavior of one service that must hold on every database. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ServiceContract {
    Service service;

    abstract TestDatabase database();

    @BeforeAll
    void start() {
        service = Service.on(database());
    }

    @AfterAll
    void stop() {
        if (service != null) {
            service.close();
        }
    }
}
