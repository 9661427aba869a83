// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

/** Answers the requests of one endpoint. May block; called by many threads at once. */
@FunctionalInterface
public interface Handler {
    /**
     * Answers one request.
     *
     * @throws ProblemException to refuse it
     * @throws Exception on trouble; the client gets a 500 that says nothing of it
     */
    Answer handle(Exchange exchange) throws Exception;
}
