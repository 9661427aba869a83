// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.people.Profile;
import org.jspecify.annotations.Nullable;

/**
 * The content of an enrollment token, as it is sealed. Unknown texts are empty. Times are in milliseconds since 1970.
 *
 * @param displayName the display name from a sign-up, if given
 * @param profile from a sign-up
 * @param mailedTo the address that the link was sent to, if no one else saw it
 * @param issuedBy the label of the operator who issued it; empty for a user
 * @param end why it is no longer valid, or {@link End#NONE}
 * @param passkey the passkey of the signed-in user who issued it for another device, with which it ends; or null
 * @param recovery whether it was issued for a recovery code
 */
public record EnrollmentRecord(
        String userId,
        @Nullable String displayName,
        Profile profile,
        @Nullable String mailedTo,
        String issuedBy,
        long issuedAt,
        long expiresAt,
        End end,
        @Nullable String passkey,
        boolean recovery) {
    public static final String USED = "used";

    /**
     * What ended a token.
     *
     * @param why {@link #USED}, or the code of the audit action that ended it; empty if it has not ended
     * @param by the label of the operator who ended it
     */
    public record End(String why, String by, long at) {
        static final End NONE = new End("", "", 0);
    }

    static EnrollmentRecord of(
            String userId,
            @Nullable String displayName,
            Profile profile,
            @Nullable String mailedTo,
            String issuedBy,
            long issuedAt,
            long expiresAt) {
        return new EnrollmentRecord(
                userId, displayName, profile, mailedTo, issuedBy, issuedAt, expiresAt, End.NONE, null, false);
    }

    /** For another device of a user. */
    static EnrollmentRecord forDevice(String userId, String passkey, long issuedAt, long expiresAt) {
        return new EnrollmentRecord(
                userId, null, Profile.EMPTY, null, "", issuedAt, expiresAt, End.NONE, passkey, false);
    }

    static EnrollmentRecord forRecovery(String userId, long issuedAt, long expiresAt) {
        return new EnrollmentRecord(userId, null, Profile.EMPTY, null, "", issuedAt, expiresAt, End.NONE, null, true);
    }

    EnrollmentRecord ended(String why, String by, long at) {
        End other = new End(why, by, at);
        return new EnrollmentRecord(
                userId, displayName, profile, mailedTo, issuedBy, issuedAt, expiresAt, other, passkey, recovery);
    }

    public boolean hasEnded() {
        return !end.equals(End.NONE);
    }

    public boolean isValid(long now) {
        return !hasEnded() && expiresAt > now;
    }

    String toJson() {
        return JsonWriter.object(json -> json.text("userId", userId)
                .optionalText("displayName", displayName)
                .optionalJson("profile", profile.isEmpty() ? null : JsonWriter.object(profile::write))
                .optionalText("mailedTo", mailedTo)
                .text("issuedBy", issuedBy)
                .number("issuedAt", issuedAt)
                .number("expiresAt", expiresAt)
                .text("ended", end.why)
                .text("endedBy", end.by)
                .number("endedAt", end.at)
                .optionalText("passkey", passkey)
                .bool("recovery", recovery));
    }

    /** Reads the content; null without content, or if another release wrote it. */
    static @Nullable EnrollmentRecord read(@Nullable String content) {
        if (content == null) {
            return null;
        }
        try {
            JsonObject json = JsonObject.parse(content, "enrollment");
            JsonObject profile = json.optionalObject("profile");
            return new EnrollmentRecord(
                    json.text("userId"),
                    json.optionalText("displayName"),
                    profile == null ? Profile.EMPTY : Profile.read(profile),
                    json.optionalText("mailedTo"),
                    json.text("issuedBy"),
                    json.integer("issuedAt"),
                    json.integer("expiresAt"),
                    new End(json.text("ended"), json.text("endedBy"), json.integer("endedAt")),
                    json.optionalText("passkey"),
                    Boolean.TRUE.equals(json.optionalBool("recovery")));
        } catch (MalformedException e) {
            return null;
        }
    }
}
