// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;

/** Honest responses to the wrong challenge, or for the second time. */
final class Replays implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        logins(scene, score);
        registrations(scene, score);
        betweenCeremonies(scene, score);
    }

    private static void logins(Scene scene, Score score) {
        Person person = scene.attacker();
        String answer = person.assertion();
        Response first = person.finish(answer);
        if (!first.success()) {
            throw new AttackException("an honest login was answered with " + first.status());
        }
        score.judge("a login response, sent twice", person.finish(answer));

        Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off");
        String options = person.options();
        person.finish(person.browser().get(options, mutation));
        score.judge(
                "a login challenge that a refused response has spent",
                person.finish(person.browser().get(options)));

        score.judge(
                "a login challenge that nobody gave out",
                person.finish(person.browser().get(with(person.options(), fresh()))));
    }

    private static void registrations(Scene scene, Score score) {
        Person person = scene.attacker();
        SoftBrowser browser = scene.freshBrowser();
        String answer = browser.create(person.creationOptions());
        person.finishRegistration(answer);
        score.judge("a registration response, sent twice", person.finishRegistration(answer));

        String options = person.creationOptions();
        Mutation mutation = Mutations.named(CeremonyType.REGISTRATION, "rp-id-hash-one-bit-off");
        person.finishRegistration(scene.freshBrowser().create(options, mutation));
        score.judge(
                "a registration challenge that a refused response has spent",
                person.finishRegistration(scene.freshBrowser().create(options)));

        score.judge(
                "a registration challenge that nobody gave out",
                person.finishRegistration(scene.freshBrowser().create(with(person.creationOptions(), fresh()))));
        person.removeFurther();
    }

    private static void betweenCeremonies(Scene scene, Score score) {
        Person person = scene.attacker();
        String discovery = scene.target().get(Person.LOGIN_OPTIONS).body();
        score.judge(
                "a registration's challenge, answered by a login",
                person.finish(person.browser().get(with(person.options(), challenge(person.creationOptions())))));
        score.judge(
                "a login's challenge, answered by a registration",
                person.finishRegistration(
                        scene.freshBrowser().create(with(person.creationOptions(), challenge(person.options())))));
        score.judge(
                "a challenge for whoever comes, answered by a user who is named",
                person.finish(person.browser().get(with(person.options(), challenge(discovery)))));
        score.judge(
                "a challenge for one user, answered without naming him",
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
