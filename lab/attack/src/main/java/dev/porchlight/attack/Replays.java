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
final class Replays implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        logins(scene, score);
        registrations(scene, score);
        betweenCeremonies(scene, score);
    }

    private static void logins(Scene scene, Score score) {
        Account person = scene.attacker();
        String response = person.assertion();
        TestResponse first = person.finish(response);
        if (!first.ok()) {
            throw new AttackException("a valid login failed with status " + first.status());
        }
        score.judge("a login response, sent twice", person.finish(response));

        Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off");
        String options = person.options();
        person.finish(person.browser().get(options, mutation));
        score.judge(
                "a login challenge used by a refused response",
                person.finish(person.browser().get(options)));

        score.judge(
                "a login challenge that was never issued",
                person.finish(person.browser().get(with(person.options(), fresh()))));
    }

    private static void registrations(Scene scene, Score score) {
        Account person = scene.attacker();
        SoftBrowser browser = scene.freshBrowser();
        String response = browser.create(person.creationOptions());
        person.finishRegistration(response);
        score.judge("a registration response, sent twice", person.finishRegistration(response));

        String options = person.creationOptions();
        Mutation mutation = Mutations.named(CeremonyType.REGISTRATION, "rp-id-hash-one-bit-off");
        person.finishRegistration(scene.freshBrowser().create(options, mutation));
        score.judge(
                "a registration challenge used by a refused response",
                person.finishRegistration(scene.freshBrowser().create(options)));

        score.judge(
                "a registration challenge that was never issued",
                person.finishRegistration(scene.freshBrowser().create(with(person.creationOptions(), fresh()))));
        person.removeFurther();
    }

    private static void betweenCeremonies(Scene scene, Score score) {
        Account person = scene.attacker();
        String discovery = scene.target().get(Person.LOGIN_OPTIONS).body();
        score.judge(
                "a registration's challenge, used in a login",
                person.finish(person.browser().get(with(person.options(), challenge(person.creationOptions())))));
        score.judge(
                "a login's challenge, used in a registration",
                person.finishRegistration(
                        scene.freshBrowser().create(with(person.creationOptions(), challenge(person.options())))));
        score.judge(
                "a challenge without a user, used by a named user",
                person.finish(person.browser().get(with(person.options(), challenge(discovery)))));
        score.judge(
                "a challenge for one user, used without a name",
                scene.target()
                        .post(Person.LOGIN_FINISH, person.browser().get(with(discovery, challenge(person.options())))));
        score.judge(
                "a registration response, sent as a login",
                person.finish(scene.freshBrowser().create(person.creationOptions())));
        score.judge("a login response, sent as a registration", person.finishRegistration(person.assertion()));
        person.removeFurther();
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
