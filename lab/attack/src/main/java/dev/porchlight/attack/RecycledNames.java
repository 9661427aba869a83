// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sign-ups under the names of removed and of invited users. */
final class RecycledNames extends Attack {
    private static final String PLANTED = "planted by the attacker";

    @Override
    void attempt() {
        String name = scene.unknown() + "-removed";
        TestResponse first = signUp(name, null);
        if (!first.ok()) {
            skip("names of removed and invited users", "the sign-up was refused: " + first);
            return;
        }
        Account removed = new Account(target, name, scene.freshBrowser());
        removed.enroll(null);
        if (!removed.leave()) {
            skip("names of removed users", "the passkey could not be removed");
            return;
        }
        for (String same : List.of(name, name.toUpperCase(Locale.ROOT), fullWidth(name))) {
            judge("the name of a removed user, as " + describe(name, same), signUp(same, null));
        }
        judge(
                "the sign-up token for a name registered since",
                target.get(Person.REGISTER_OPTIONS, bearer(token(first))));
        invited();
    }

    private void invited() {
        String admin = scene.adminToken();
        if (admin == null) {
            skip("the name of an invited user", "set ADMIN_TOKEN in the environment");
            return;
        }
        String name = scene.unknown() + "-invited";
        String early = token(signUp(name, PLANTED));
        target.get(Person.REGISTER_OPTIONS, bearer(early));
        String body = new JsonObject().put("userId", name).toString();
        String link = token(target.post("/admin/enrollments", body, bearer(admin)));
        String options = Account.must(target.get(Person.REGISTER_OPTIONS, bearer(link)), "options for an invited user")
                .body();
        check("the display name that an invited user sees", !options.contains(PLANTED), "was planted by the attacker");
        judge("the name of an invited user", signUp(name, null));
        judge(
                "an earlier sign-up token for the name of an invited user",
                target.get(Person.REGISTER_OPTIONS, bearer(early)));
    }

    private TestResponse signUp(String name, @Nullable String displayName) {
        JsonObject body = new JsonObject().put("userId", name);
        return target.post(
                "/auth/signup", (displayName == null ? body : body.put("displayName", displayName)).toString());
    }

    private static String token(TestResponse response) {
        return response.jsonIfAny().string("token", "");
    }

    private static String describe(String name, String same) {
        return same.equals(name)
                ? "registered"
                : same.equals(fullWidth(name)) ? "full-width letters" : "capital letters";
    }

    /** The same name in full-width letters. */
    private static String fullWidth(String name) {
        StringBuilder wide = new StringBuilder();
        name.chars().map(c -> c > ' ' && c < 127 ? c + 0xfee0 : c).forEach(wide::appendCodePoint);
        return wide.toString();
    }
}
