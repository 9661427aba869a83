// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/** A database pool, as {@code db_pool_connections} sees it at each scrape. */
public interface PoolSource {
    /** No pool yet. */
    PoolSource NONE = new PoolSource() {
        @Override
        public int idle() {
            return 0;
        }

        @Override
        public int active() {
            return 0;
        }

        @Override
        public int waiting() {
            return 0;
        }
    };

    /** Connections that are open and free. */
    int idle();

    /** Connections that are in use. */
    int active();

    /** Callers that wait for a connection. */
    int waiting();
}
