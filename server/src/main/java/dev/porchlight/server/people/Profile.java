// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.people;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a person. Immutable.
 *
 * @param locale a language tag
 * @param picture an https URL
 * @param updatedAt the last change in milliseconds since 1970; 0 if there was none
 */
public record Profile(
        @Nullable String name,
        @Nullable String givenName,
        @Nullable String familyName,
        @Nullable String email,
        boolean emailVerified,
        @Nullable String locale,
        @Nullable String picture,
        Claims claims,
        long updatedAt) {
    public static final Profile EMPTY = new Profile(null, null, null, null, false, null, null, Claims.NONE, 0);

    public boolean isEmpty() {
        return equals(EMPTY.at(updatedAt));
    }

    /** The same profile with the time of its last change. */
    public Profile at(long time) {
        return new Profile(name, givenName, familyName, email, emailVerified, locale, picture, claims, time);
    }

    /** The value of a member as in JSON; null if it is absent. */
    public @Nullable Object get(ProfileMember member) {
        return switch (member) {
            case NAME -> name;
            case GIVEN_NAME -> givenName;
            case FAMILY_NAME -> familyName;
            case EMAIL -> email;
            case EMAIL_VERIFIED -> email == null ? null : (Object) emailVerified;
            case LOCALE -> locale;
            case PICTURE -> picture;
            case CLAIMS -> claims.isEmpty() ? null : claims;
        };
    }

    /** Reads what {@link #write} wrote, without the time, and refuses other members. */
    public static Profile read(JsonObject json) throws MalformedException {
        return ProfileChange.parse(json, EnumSet.allOf(ProfileMember.class), Set.of())
                .created();
    }

    /** A profile of these values, as {@link #get} returns them. */
    static Profile of(Map<ProfileMember, Object> values, long updatedAt) {
        return new Profile(
                (String) values.get(ProfileMember.NAME),
                (String) values.get(ProfileMember.GIVEN_NAME),
                (String) values.get(ProfileMember.FAMILY_NAME),
                (String) values.get(ProfileMember.EMAIL),
                Boolean.TRUE.equals(values.get(ProfileMember.EMAIL_VERIFIED)),
                (String) values.get(ProfileMember.LOCALE),
                (String) values.get(ProfileMember.PICTURE),
                (Claims) values.getOrDefault(ProfileMember.CLAIMS, Claims.NONE),
                updatedAt);
    }

    /** Writes the members that are present, except the time. */
    public void write(JsonWriter json) {
        json.optionalText("name", name)
                .optionalText("givenName", givenName)
                .optionalText("familyName", familyName)
                .optionalText("email", email)
                .optionalBool("emailVerified", email == null ? null : emailVerified)
                .optionalText("locale", locale)
                .optionalText("picture", picture)
                .optionalJson("claims", claims.isEmpty() ? null : claims.json());
    }
}
