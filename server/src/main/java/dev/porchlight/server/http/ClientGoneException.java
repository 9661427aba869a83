// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.IOException;

/** The client closed the connection, or took its answer so slowly that we did. */
final class ClientGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ClientGoneException(Throwable cause) {
        super("the client is gone", cause);
    }
}
