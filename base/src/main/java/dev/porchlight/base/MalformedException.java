// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

/**
 * Received input is malformed. Names the part and the reason.
 *
 * <p>The message is safe to log: it contains at most a short excerpt of the input, in printable ASCII. There is no
 * stack trace, so that hostile input is cheap to refuse.
 */
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int EXCERPT = 24;

    private final String part;

    /** Creates an exception about one part, for example {@code attestationObject.fmt}. */
    public MalformedException(String part, String reason) {
        super(part + ": " + reason, null, false, false);
        this.part = part;
    }

    /** The name of the part, as in the WebAuthn specification. */
    public String part() {
        return part;
    }

    /** A quoted, shortened form of received text with everything but printable ASCII replaced. */
    static String excerpt(String text) {
        var shown = new StringBuilder(EXCERPT + 3).append('"');
        for (int i = 0; i < Math.min(text.length(), EXCERPT); i++) {
            char c = text.charAt(i);
            shown.append(c < ' ' || c > '~' || c == '"' ? '?' : c);
        }
        return shown.append(text.length() > EXCERPT ? "…\"" : "\"").toString();
    }
}
