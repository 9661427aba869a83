// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.CHOICE;
import static dev.porchlight.testkit.response.Seam.ENVELOPE;
import static dev.porchlight.testkit.tamper.CeremonyType.AUTHENTICATION;
import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;
import static dev.porchlight.testkit.tamper.CeremonyType.USERNAMELESS;

import dev.porchlight.testkit.response.Choice;
import dev.porchlight.testkit.response.Credential;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Mutations of the user and the credential id. */
final class IdentityMutations extends MutationTable {
    private static final String UNKNOWN = Octets.base64Url(Octets.filled(32, 9));

    IdentityMutations() {
        in(REGISTRATION, "7.1.22", "T15", Precondition.ANOTHER_USER);
        choice(
                "credential-id-of-another-user",
                "registers an id that another user has",
                it -> it.credential().withId(it.ofAnotherUser().id()));

        in(AUTHENTICATION, "7.2.6", "T12", Precondition.ANOTHER_USER);
        choice("passkey-of-another-user", "signs in with the passkey of another user", Choice::ofAnotherUser);
        choice(
                "passkey-of-another-user-unnamed",
                "signs in with the passkey of another user, without a user handle",
                it -> it.ofAnotherUser().withUserHandle(null));
        choice(
                "passkey-of-another-user-renamed",
                "signs in with the passkey of another user and the user's handle",
                it -> it.ofAnotherUser().withUserHandle(it.credential().userHandle()));
        in(AUTHENTICATION, "7.2.20", "T12", Precondition.ANOTHER_USER);
        choice(
                "key-of-another-user",
                "has the id of the user's passkey and a signature by another user's",
                it -> it.credential().withKey(it.ofAnotherUser().key()));
        in(AUTHENTICATION, "7.2.6", "T13", Precondition.ANOTHER_USER);
        choice(
                "user-handle-of-another-user",
                "has the user handle of another user",
                it -> it.credential().withUserHandle(it.ofAnotherUser().userHandle()));
        in(AUTHENTICATION, "7.2.6", "T13");
        choice(
                "user-handle-unknown",
                "has an unknown user handle",
                it -> it.credential().withUserHandle(UNKNOWN));
        in(AUTHENTICATION, "7.2.5", "T42");
        choice(
                "passkey-never-registered",
                "has an id that was never registered",
                it -> it.credential().withId(UNKNOWN));
        in(AUTHENTICATION, "7.2.3", "");
        invalid(
                "user-handle-of-65-octets",
                "has a user handle that is too long",
                handle(Octets.base64Url(new byte[65])));
        invalid("user-handle-not-a-string", "has a number for the user handle", handle(1L));
        invalid("user-handle-padded", "pads the user handle", edit(ENVELOPE, it -> {
            JsonObject response = it.object("response");
            response.put("userHandle", Spelling.padded(response.string("userHandle")));
        }));
        in(AUTHENTICATION, "7.2.6", "T13");
        valid(
                "user-handle-absent",
                "has no user handle, like some security keys",
                choice(it -> it.credential().withUserHandle(null)));
        valid("user-handle-null", "has null for the user handle", handle(null));

        in(USERNAMELESS, "7.2.6", "T13");
        choice("user-handle-absent", "has no user handle", it -> it.credential().withUserHandle(null));
        invalid("user-handle-null", "has null for the user handle", handle(null));
        invalid("user-handle-empty", "has an empty user handle", handle(""));
        choice(
                "user-handle-unknown",
                "has an unknown user handle",
                it -> it.credential().withUserHandle(UNKNOWN));
        in(USERNAMELESS, "7.2.7", "T42");
        choice(
                "passkey-never-registered",
                "has an id that was never registered",
                it -> it.credential().withId(UNKNOWN));
        in(USERNAMELESS, "7.2.6", "T13", Precondition.ANOTHER_USER);
        choice(
                "user-handle-of-another-user",
                "has the user handle of another user",
                it -> it.credential().withUserHandle(it.ofAnotherUser().userHandle()));
        in(USERNAMELESS, "7.2.20", "T12", Precondition.ANOTHER_USER);
        choice(
                "key-of-another-user",
                "has the id of the user's passkey and a signature by another user's",
                it -> it.credential().withKey(it.ofAnotherUser().key()));
    }

    private void choice(String name, String description, Function<Choice, Credential> change) {
        invalid(name, description, choice(change));
    }

    private static Seams choice(Function<Choice, Credential> change) {
        return swap(CHOICE, it -> it.with(change.apply(it)));
    }

    private static Seams handle(@Nullable Object value) {
        return edit(ENVELOPE, it -> it.object("response").put("userHandle", value));
    }
}
