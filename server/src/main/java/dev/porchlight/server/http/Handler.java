// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

/** Handles the requests of one endpoint. May block. Implementations are thread-safe. */
@FunctionalInterface
public interface Handler {
    /**
     * Handles one request.
     *
     * @throws ProblemException to refuse it
     * @throws Exception if it fails; the client gets a 500 without the cause
     */
    Response handle(Exchange exchange) throws Exception;

    /** Handles the requests of one endpoint that authenticates its callers. */
    @FunctionalInterface
    interface For<C> {
        /** Handles one request of a caller; see {@link Handler#handle}. */
        Response handle(Exchange exchange, C caller) throws Exception;
    }
}
