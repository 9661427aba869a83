// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import java.io.IOException;

/** The failure of an exchange with the mail server, in its words. */
public final class MailException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    MailException(String message, boolean permanent, Throwable cause) {
        super(message, cause);
        this.permanent = permanent;
    }

    /** Whether the server refused the address, so that another attempt would fail too. */
    boolean isPermanent() {
        return permanent;
    }
}
