// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

class PostgresFlowTest extends FlowContract {
    @Override
    TestDatabase database() {
        return TestDatabase.POSTGRES;
    }
}
