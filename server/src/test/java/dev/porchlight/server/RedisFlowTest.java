// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

class RedisFlowTest extends FlowContract {
    @Override
    TestDatabase database() {
        return TestDatabase.SQLITE;
    }

    @Override
    boolean withRedis() {
        return true;
    }
}
