// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

/**
 * Says that received bytes are not what they claim to be: which part, and why.
 *
 * <p>Both are plain words fit for a log line. They never hold received content beyond a short excerpt of printable
 * ASCII. It has no stack trace: it is the usual answer to hostile input, so it has to be cheap, and part and reason
 * say more.
 */
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int EXCERPT = 24;

    private final String part;

    /** A complaint about one part, for example {@code attestationObject.fmt}. */
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
