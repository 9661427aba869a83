// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.config.Setting.InvalidValueException;
import dev.porchlight.server.people.ProfileMember;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads settings that list members of profiles. */
final class MemberLists {
    /** Only operators set the others. */
    private static final Set<ProfileMember> OF_USERS =
            EnumSet.complementOf(EnumSet.of(ProfileMember.EMAIL_VERIFIED, ProfileMember.CLAIMS));

    private static final Set<ProfileMember> OF_SIGN_UPS =
            EnumSet.complementOf(EnumSet.of(ProfileMember.EMAIL_VERIFIED, ProfileMember.CLAIMS, ProfileMember.PICTURE));

    private static final String REQUIRED = "*";

    private MemberLists() {}

    /** The members that users may change. */
    static Set<ProfileMember> editable(String text) {
        Set<ProfileMember> members = EnumSet.noneOf(ProfileMember.class);
        for (String code : text.equals("none") ? List.<String>of() : Parsers.list(text)) {
            members.add(member(code, OF_USERS, "none, or some of "));
        }
        return members;
    }

    /** The members that a sign-up asks for, in this order. */
    static List<SignupField> asked(String text) {
        List<SignupField> fields = new ArrayList<>();
        for (String each : Parsers.list(text)) {
            boolean required = each.endsWith(REQUIRED);
            String code = required ? each.substring(0, each.length() - 1) : each;
            ProfileMember member = member(code, OF_SIGN_UPS, "");
            if (fields.stream().anyMatch(field -> field.member() == member)) {
                throw InvalidValueException.quoting(code, "must be named once");
            }
            fields.add(new SignupField(member, required));
        }
        return List.copyOf(fields);
    }

    private static ProfileMember member(String code, Set<ProfileMember> allowed, String otherwise) {
        ProfileMember member = ProfileMember.of(code);
        if (member == null || !allowed.contains(member)) {
            throw InvalidValueException.quoting(
                    code,
                    "must be " + otherwise
                            + allowed.stream().map(ProfileMember::code).collect(Collectors.joining(", ")));
        }
        return member;
    }
}
