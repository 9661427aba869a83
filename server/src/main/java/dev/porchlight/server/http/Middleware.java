// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

/** What is done around every request, whatever its endpoint. Called by many threads at once. */
@FunctionalInterface
public interface Middleware {
    /** Does its part before and after {@code next}, which returns once the answer has been sent. */
    void around(Exchange exchange, Next next) throws Exception;

    /** The rest of the way to the handler. */
    @FunctionalInterface
    interface Next {
        void proceed(Exchange exchange) throws Exception;
    }
}
