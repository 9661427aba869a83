// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.IOException;

/** An address that the server cannot listen on. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String listener;

    ListenException(String listener, Exception cause) {
        super(cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage(), cause);
        this.listener = listener;
    }

    /** The name of the listener. */
    public String listener() {
        return listener;
    }

    /** The operating system's message, such as "Address already in use". */
    public String reason() {
        Throwable root = this;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
