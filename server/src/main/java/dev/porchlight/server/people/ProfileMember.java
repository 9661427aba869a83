// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.people;

import dev.porchlight.base.DisplayText;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.storage.UserNames;
import java.net.URI;
import java.net.URISyntaxException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.IllformedLocaleException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A member of a profile, with the rule for its values. */
public enum ProfileMember {
    NAME("name"),
    GIVEN_NAME("givenName"),
    FAMILY_NAME("familyName"),
    EMAIL("email"),
    EMAIL_VERIFIED("emailVerified"),
    LOCALE("locale"),
    PICTURE("picture"),
    CLAIMS("claims");

    private static final int MAX_NAME = 128;
    private static final int MAX_EMAIL = 254;
    private static final int MAX_LOCALE = 35;
    private static final int MAX_PICTURE = 512;

    /** What a form of HTML accepts as an address. */
    private static final Pattern EMAIL_FORM = Pattern.compile("[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
            + "@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");

    private final String code;

    ProfileMember(String code) {
        this.code = code;
    }

    /** The name in JSON, in settings and in audit rows. */
    public String code() {
        return code;
    }

    /** The member with this name, or null. */
    public static @Nullable ProfileMember of(String code) {
        return Arrays.stream(values())
                .filter(member -> member.code.equals(code))
                .findFirst()
                .orElse(null);
    }

    /** Reads the value of this member: a {@code String}, a {@code Boolean}, or the {@link JsonObject} of the changed claims. */
    Object read(JsonObject body) throws MalformedException {
        Object value = switch (this) {
            case EMAIL_VERIFIED -> body.optionalBool(code);
            case CLAIMS -> body.optionalObject(code);
            default -> text(body);
        };
        if (value == null) {
            throw body.malformed(code, "missing");
        }
        return value;
    }

    /** Reads a text as it is stored. */
    private Object text(JsonObject body) throws MalformedException {
        String text = body.text(code);
        try {
            return switch (this) {
                case EMAIL -> requireEmail(text);
                case LOCALE -> locale(text);
                case PICTURE -> picture(text);
                default -> personName(text);
            };
        } catch (IllegalArgumentException e) {
            throw body.malformed(code, String.valueOf(e.getMessage()));
        }
    }

    private static String personName(String text) {
        String name = Normalizer.normalize(text, Normalizer.Form.NFC).strip();
        require(
                name.codePoints().anyMatch(point -> !isJoiner(point))
                        && name.codePointCount(0, name.length()) <= MAX_NAME
                        && isVisible(name),
                "must have 1 to " + MAX_NAME + " characters, none of them invisible");
        return name;
    }

    /** Returns an address that is valid in a mail; an {@link IllegalArgumentException} describes the others. */
    public static String requireEmail(String text) {
        require(
                text.length() <= MAX_EMAIL && EMAIL_FORM.matcher(text).matches(),
                "must be an email address, for example ada@example.com");
        return text;
    }

    private static String locale(String text) {
        try {
            String tag = new Locale.Builder().setLanguageTag(text).build().toLanguageTag();
            require(text.length() <= MAX_LOCALE && !tag.equals("und"), "");
            return tag;
        } catch (IllegalArgumentException | IllformedLocaleException e) {
            throw new IllegalArgumentException("must be a language tag, for example de-AT", e);
        }
    }

    private static String picture(String text) {
        try {
            URI uri = new URI(text);
            require(
                    text.length() <= MAX_PICTURE
                            && "https".equalsIgnoreCase(uri.getScheme())
                            && uri.getHost() != null
                            && uri.getRawUserInfo() == null
                            && text.chars().allMatch(c -> c > ' ' && c < 0x7f),
                    "");
            return text;
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "must be an https URL of at most " + MAX_PICTURE + " characters, without credentials", e);
        }
    }

    /** Joiners between letters are part of Persian and Indic names. */
    static boolean isVisible(String text) {
        return text.codePoints()
                .noneMatch(point -> UserNames.isFiller(point) || DisplayText.isInvisible(point) && !isJoiner(point));
    }

    /** Scripts and emoji need joiners between visible characters. */
    private static boolean isJoiner(int point) {
        return point == 0x200C || point == 0x200D;
    }

    private static void require(boolean valid, String rule) {
        if (!valid) {
            throw new IllegalArgumentException(rule);
        }
    }
}
