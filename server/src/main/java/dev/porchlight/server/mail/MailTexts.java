// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

/** The texts of mails in one language, which the pages share. */
public interface MailTexts {
    /** The language tag. */
    String tag();

    /** The value of the {@code dir} attribute. */
    String direction();

    /** The text with this key, such as {@code mail.test.subject}. */
    String text(String key);
}
