// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;

/** Valid responses to the wrong challenge, or sent twice. */
final class Replays extends Attack {
    @Override
    void attempt() {
        logins();
        registrations();
        betweenCeremonies();
    }

    private void logins() {
        String response = attacker.assertion();
        TestResponse first = attacker.finish(response);
        if (!first.ok()) {
            throw new AttackException("a valid login failed with status " + first.status());
        }
        judge("a login response, sent twice", attacker.finish(response));

        Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off");
        String options = attacker.options();
        attacker.finish(attacker.browser().get(options, mutation));
        judge(
                "a login challenge used by a refused response",
                attacker.finish(attacker.browser().get(options)));

        judge(
                "a login challenge that was never issued",
                attacker.finish(attacker.browser().get(with(attacker.options(), fresh()))));
    }

    private void registrations() {
        SoftBrowser browser = scene.freshBrowser();
        String response = browser.create(attacker.creationOptions());
        attacker.finishRegistration(response);
        judge("a registration response, sent twice", attacker.finishRegistration(response));

        String options = attacker.creationOptions();
        Mutation mutation = Mutations.named(CeremonyType.REGISTRATION, "rp-id-hash-one-bit-off");
        attacker.finishRegistration(scene.freshBrowser().create(options, mutation));
        judge(
                "a registration challenge used by a refused response",
                attacker.finishRegistration(scene.freshBrowser().create(options)));

        judge(
                "a registration challenge that was never issued",
                attacker.finishRegistration(scene.freshBrowser().create(with(attacker.creationOptions(), fresh()))));
        attacker.removeFurther();
    }

    private void betweenCeremonies() {
        String discovery = target.get(Person.LOGIN_OPTIONS).body();
        judge(
                "a registration's challenge, used in a login",
                attacker.finish(
                        attacker.browser().get(with(attacker.options(), challenge(attacker.creationOptions())))));
        judge(
                "a login's challenge, used in a registration",
                attacker.finishRegistration(
                        scene.freshBrowser().create(with(attacker.creationOptions(), challenge(attacker.options())))));
        judge(
                "a challenge without a user, used by a named user",
                attacker.finish(attacker.browser().get(with(attacker.options(), challenge(discovery)))));
        judge(
                "a challenge for one user, used without a name",
                target.post(
                        Person.LOGIN_FINISH, attacker.browser().get(with(discovery, challenge(attacker.options())))));
        judge(
                "a registration response, sent as a login",
                attacker.finish(scene.freshBrowser().create(attacker.creationOptions())));
        judge("a login response, sent as a registration", attacker.finishRegistration(attacker.assertion()));
        attacker.removeFurther();
    }

    private static String with(String options, String challenge) {
        return JsonObject.parse(options).put("challenge", challenge).toString();
    }

    private static String challenge(String options) {
        return JsonObject.parse(options).string("challenge");
    }

    private static String fresh() {
        byte[] octets = new byte[32];
        new SecureRandom().nextBytes(octets);
        return Octets.base64Url(octets);
    }
}
