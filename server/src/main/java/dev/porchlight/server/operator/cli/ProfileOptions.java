// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.ProfileMember;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that change a profile. A member without its option stays as it is, an empty text removes it. */
final class ProfileOptions {
    @Option(names = "--name", paramLabel = "NAME", description = "the full name")
    private @Nullable String name;

    @Option(names = "--given-name", paramLabel = "NAME", description = "the given name")
    private @Nullable String givenName;

    @Option(names = "--family-name", paramLabel = "NAME", description = "the family name")
    private @Nullable String familyName;

    @Option(names = "--email", paramLabel = "ADDRESS", description = "the email address")
    private @Nullable String email;

    @Option(names = "--email-verified", negatable = true, description = "the email address was verified")
    private @Nullable Boolean emailVerified;

    @Option(names = "--locale", paramLabel = "TAG", description = "the language, for example de-AT")
    private @Nullable String locale;

    @Option(names = "--picture", paramLabel = "URL", description = "the https URL of a picture")
    private @Nullable String picture;

    @Mixin
    private final ClaimOptions claims = new ClaimOptions();

    /** The change as the API would read it. */
    ProfileChange change() throws MalformedException {
        List<String> members = new ArrayList<>();
        text(members, ProfileMember.NAME, name);
        text(members, ProfileMember.GIVEN_NAME, givenName);
        text(members, ProfileMember.FAMILY_NAME, familyName);
        text(members, ProfileMember.EMAIL, email);
        text(members, ProfileMember.LOCALE, locale);
        text(members, ProfileMember.PICTURE, picture);
        if (emailVerified != null) {
            members.add("\"emailVerified\":" + emailVerified);
        }
        if (!claims.isEmpty()) {
            members.add("\"claims\":" + claims.json());
        }
        return ProfileChange.parse(
                JsonObject.parse('{' + String.join(",", members) + '}', ""),
                EnumSet.allOf(ProfileMember.class),
                Set.of());
    }

    private static void text(List<String> members, ProfileMember member, @Nullable String value) {
        if (value != null && value.isEmpty()) {
            members.add('"' + member.code() + "\":null");
        } else if (value != null) {
            String object = JsonWriter.object(json -> json.text(member.code(), value));
            members.add(object.substring(1, object.length() - 1));
        }
    }
}
