// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.people.ProfileMember;

/** A member of the profile that a sign-up asks for. */
public record SignupField(ProfileMember member, boolean required) {
    /** As in the setting and in the attribute of the element: with a star if it is required. */
    @Override
    public String toString() {
        return member.code() + (required ? "*" : "");
    }
}
