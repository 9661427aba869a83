// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Links for other devices and recovery codes: of another user, after their use or end, and for something else. */
final class RecoveredAccess extends Attack {
    private static final String DEVICES = "/auth/passkey/devices";
    private static final String RECOVERY = "/auth/recovery";
    private static final String CODES = RECOVERY + "/codes";
    private static final int AT_ONCE = 16;

    @Override
    void attempt() {
        links();
        codes();
        attacker.removeFurther();
    }

    private void links() {
        judge("a link for another device without a sign-in", target.post(DEVICES, null));
        String token = link(attacker.access());
        onlyRegisters("the token of a link for another device", token);
        SoftBrowser device = scene.freshBrowser();
        String id = attacker.register(device, bearer(token));
        useless("a link for another device, used twice", token);
        String ended = link(GrantedAccess.of(attacker.finish(device.get(attacker.options()))));
        attacker.remove(id);
        useless("a link that was created with a passkey that is removed", ended);
        String signedOut = link(attacker.access());
        target.post("/auth/logout?everywhere=true", null, attacker.access().headers());
        attacker.forget();
        useless("a link for another device after signing out everywhere", signedOut);
    }

    private String link(GrantedAccess access) {
        return Account.must(target.post(DEVICES, null, access.headers()), "a link for another device")
                .field("url")
                .replaceFirst(".*#enroll=", "");
    }

    private void codes() {
        judge("recovery codes without a sign-in", target.post(CODES, null));
        TestResponse first = target.post(CODES, null, attacker.access().headers());
        if (first.status() == 403 && first.field("code").equals("recovery_off")) {
            skip("recovery codes", "RECOVERY is off");
            return;
        }
        String replaced = codes(Account.must(first, "recovery codes")).get(0);
        List<String> codes =
                codes(Account.must(target.post(CODES, null, attacker.access().headers()), "new recovery codes"));
        TestResponse unknown = recover(scene.unknown(), codes.get(0));
        judge("a recovery code of a user who does not exist", unknown);
        TestResponse used = recover(attacker.userId(), codes.get(0));
        if (used.status() == 202) {
            skip("used recovery codes", "recoveries wait: set RECOVERY_DELAY_HOURS=0 for the attack");
            return;
        }
        String token = Account.must(used, "a valid recovery code").field("token");
        Map<String, TestResponse> refused = new LinkedHashMap<>();
        refused.put("another user's recovery code", recover(victim.userId(), codes.get(1)));
        refused.put("a recovery code that was replaced", recover(attacker.userId(), replaced));
        refused.put("a recovery code, used twice", recover(attacker.userId(), codes.get(0)));
        refused.put("an empty recovery code", recover(attacker.userId(), ""));
        refused.forEach((what, response) -> {
            judge(what, response);
            check(what + ", compared with an unknown user", same(response, unknown), "gets another response");
        });
        onlyRegisters("the token of a recovery code", token);
        attacker.register(scene.freshBrowser(), bearer(token));
        useless("the token of a recovery code, used twice", token);
        long accepted = target.atOnce(AT_ONCE, RECOVERY, body(attacker.userId(), codes.get(2))).stream()
                .filter(TestResponse::ok)
                .count();
        check("a recovery code, " + AT_ONCE + " times at once", accepted <= 1, "is accepted " + accepted + " times");
    }

    private static List<String> codes(TestResponse created) {
        return created.json().get("codes") instanceof List<?> codes
                ? codes.stream().map(String::valueOf).toList()
                : List.of();
    }

    private TestResponse recover(String userId, String code) {
        return target.post(RECOVERY, body(userId, code));
    }

    private static String body(String userId, String code) {
        return new JsonObject().put("userId", userId).put("code", code).toString();
    }

    private static boolean same(TestResponse one, TestResponse other) {
        return one.status() == other.status() && content(one).equals(content(other));
    }

    private static String content(TestResponse response) {
        return response.jsonIfAny().remove("correlationId").toString();
    }

    private void useless(String what, String token) {
        judge(what, target.get(Person.REGISTER_OPTIONS, bearer(token)));
    }

    private void onlyRegisters(String what, String token) {
        judge(what + " as a session", target.get(Person.SESSION, bearer(token)));
        judge(what + ", to list passkeys", target.get(Person.CREDENTIALS, bearer(token)));
        judge(what + ", to create another link", target.post(DEVICES, null, bearer(token)));
        judge(what + ", to create recovery codes", target.post(CODES, null, bearer(token)));
    }
}
