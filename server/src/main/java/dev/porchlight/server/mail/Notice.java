// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import java.util.Locale;

/** What users get a mail about. Each has a subject and a text in the catalogs. */
public enum Notice {
    /** With an enrollment link. */
    INVITATION,
    /** With a link that verifies the address. */
    VERIFICATION,
    PASSKEY_ADDED,
    PASSKEY_REMOVED,
    /** To the address before the change. */
    EMAIL_CHANGED,
    RECOVERY_STARTED,
    RECOVERED,
    /** At the request of an operator, to try the mail server. */
    TEST;

    /** The name in the outbox and in the catalogs of texts. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
