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

    /** The name under which the address was added. */
    public String listener() {
        return listener;
    }

    /** What the operating system says, such as "Address already in use". */
    public String reason() {
        Throwable root = this;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
