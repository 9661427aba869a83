// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

class PgBouncerFlowTest extends FlowContract {
    @Override
    TestDatabase database() {
        return TestDatabase.PGBOUNCER;
    }
}
