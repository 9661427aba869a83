// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for user ids and names: 1 to 256 characters without control characters or unpaired surrogates. */
public final class Texts {
    /** The maximum length of a user id or a name, in code points. */
    public static final int MAX_CHARACTERS = 256;

    private static final Pattern CREDENTIAL_ID =
            Pattern.compile("[A-Za-z0-9_-]{1," + CredentialRecord.MAX_ID_CHARS + "}");

    private Texts() {}

    /** Returns the text, or throws an {@link InvalidTextException} with the field and the reason. */
    public static String require(String field, String text) {
        int characters = text.codePointCount(0, text.length());
        if (characters < 1 || characters > MAX_CHARACTERS) {
            throw new InvalidTextException(field, "must have 1 to " + MAX_CHARACTERS + " characters");
        }
        if (!text.codePoints().allMatch(Texts::isText)) {
            throw new InvalidTextException(field, "must not contain control characters or unpaired surrogates");
        }
        return text;
    }

    static @Nullable String requireIfGiven(String field, @Nullable String text) {
        return text == null ? null : require(field, text);
    }

    /** Returns whether a text can be a credential id. The database is not queried for other texts. */
    static boolean isCredentialId(String text) {
        return CREDENTIAL_ID.matcher(text).matches();
    }

    private static boolean isText(int codePoint) {
        int type = Character.getType(codePoint);
        return type != Character.CONTROL && type != Character.SURROGATE;
    }
}
