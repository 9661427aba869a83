// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

/** A stranger's text made fit for a log line: short, quoted, printable ASCII. */
final class Excerpt {
    private static final int LENGTH = 64;

    private Excerpt() {}

    static String of(String text) {
        var shown = new StringBuilder(LENGTH + 3).append('"');
        text.chars().limit(LENGTH).forEach(c -> shown.append(c < ' ' || c > '~' || c == '"' ? '?' : (char) c));
        return shown.append(text.length() > LENGTH ? "…\"" : "\"").toString();
    }
}
