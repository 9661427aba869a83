// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.people;

import dev.porchlight.base.DisplayText;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A valid change of a profile: the new values of some members, of which null removes a member. Immutable. */
public final class ProfileChange {
    private final Map<ProfileMember, @Nullable Object> values;

    private ProfileChange(Map<ProfileMember, @Nullable Object> values) {
        this.values = values;
    }

    /**
     * Reads the members of an object, and refuses unknown ones.
     *
     * @param allowed the members that the caller may change
     * @param others the members of the object that are not part of the profile
     */
    public static ProfileChange parse(JsonObject body, Set<ProfileMember> allowed, Set<String> others)
            throws MalformedException {
        Map<ProfileMember, @Nullable Object> values = new EnumMap<>(ProfileMember.class);
        for (String name : body.names()) {
            ProfileMember member = ProfileMember.of(name);
            if (member != null && allowed.contains(member)) {
                values.put(member, body.isNull(name) ? null : member.read(body));
            } else if (!others.contains(name)) {
                throw body.malformed(
                        DisplayText.prefix(name), member == null ? "unknown member" : "cannot be changed by the user");
            }
        }
        ProfileChange change = new ProfileChange(values);
        var unused = change.created(); // for the rules of claims, before a transaction begins
        return change;
    }

    /** Reads the members of a profile among others, and refuses those that the caller may not set. */
    public static ProfileChange among(JsonObject body, Set<ProfileMember> allowed) throws MalformedException {
        Set<String> others = body.names().stream()
                .filter(name -> ProfileMember.of(name) == null)
                .collect(Collectors.toUnmodifiableSet());
        return parse(body, allowed, others);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Whether it sets or removes this member. */
    public boolean contains(ProfileMember member) {
        return values.containsKey(member);
    }

    /** The profile of a new user. */
    public Profile created() throws MalformedException {
        return applied(Profile.EMPTY);
    }

    /**
     * The profile after this change. A new email is not verified unless the change says so.
     *
     * @throws MalformedException if the claims are too large together
     */
    Profile applied(Profile before) throws MalformedException {
        Map<ProfileMember, Object> after = new EnumMap<>(ProfileMember.class);
        for (ProfileMember member : ProfileMember.values()) {
            Object value = values.containsKey(member) ? values.get(member) : before.get(member);
            if (value instanceof JsonObject claims) {
                value = before.claims().with(claims);
            }
            if (value != null) {
                after.put(member, value);
            }
        }
        Object email = after.get(ProfileMember.EMAIL);
        if (email == null || !email.equals(before.email()) && !values.containsKey(ProfileMember.EMAIL_VERIFIED)) {
            after.remove(ProfileMember.EMAIL_VERIFIED);
        }
        return Profile.of(after, before.updatedAt());
    }
}
