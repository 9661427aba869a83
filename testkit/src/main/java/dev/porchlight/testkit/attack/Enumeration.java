// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attack;

import dev.porchlight.testkit.tamper.Ceremony;
import dev.porchlight.testkit.tamper.Tamper;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Asks about users who exist and users who do not, and looks for a difference. */
final class Enumeration implements Attack {
    /** Headers that differ between any two answers. */
    private static final Set<String> OF_THE_MOMENT = Set.of("date", "x-correlation-id", "traceparent");

    @Override
    public String name() {
        return "enumeration";
    }

    @Override
    public void run(Scene scene, Score score) {
        Samples options = new Samples("login options", scene.target(), scene.rounds());
        Samples finishes = new Samples("refused logins", scene.target(), scene.rounds());
        String known = scene.attacker().query();
        for (int i = 0; i < scene.rounds(); i++) {
            String unknown = Person.query(scene.unknown() + i);
            Reply ofKnown = options.known(() -> scene.target().get(Person.LOGIN_OPTIONS + known));
            Reply ofUnknown = options.unknown(() -> scene.target().get(Person.LOGIN_OPTIONS + unknown));
            score.check(
                    "options of an unknown user",
                    shape(ofUnknown).equals(shape(ofKnown)),
                    shape(ofUnknown) + " where a known user has " + shape(ofKnown));

            // A lie, so that known and unknown users are refused both.
            String lie = scene.attacker()
                    .browser()
                    .get(ofKnown.body(), Tamper.named(Ceremony.AUTHENTICATION, "signature-one-bit-off"));
            Reply refusedKnown = finishes.known(() -> scene.target().post(Person.LOGIN_FINISH + known, lie));
            String answered = ofUnknown.success() ? ofUnknown.body() : ofKnown.body();
            String other = scene.attacker()
                    .browser()
                    .get(answered, Tamper.named(Ceremony.AUTHENTICATION, "signature-one-bit-off"));
            Reply refusedUnknown = finishes.unknown(() -> scene.target().post(Person.LOGIN_FINISH + unknown, other));
            score.check(
                    "a refused login of an unknown user",
                    refusal(refusedUnknown).equals(refusal(refusedKnown)),
                    refusal(refusedUnknown) + " where a known user has " + refusal(refusedKnown));
        }
        decoys(scene, score);
        score.note(options.compare());
        score.note(finishes.compare());
    }

    /** What is offered for a user who does not exist is the same each time, and not the same for all. */
    private static void decoys(Scene scene, Score score) {
        String unknown = Person.LOGIN_OPTIONS + Person.query(scene.unknown() + 0);
        String first = offered(scene.target().get(unknown));
        score.check(
                "an unknown user, asked for twice",
                first.equals(offered(scene.target().get(unknown))),
                "other passkeys each time, which known users do not have");
        score.check(
                "two unknown users",
                !first.equals(offered(scene.target().get(Person.LOGIN_OPTIONS + Person.query(scene.unknown() + 1)))),
                "the same passkeys, or none, for everybody who does not exist");
    }

    private static String offered(Reply options) {
        return String.valueOf(options.json().get("allowCredentials"));
    }

    /** Status, names of headers and members, and the size of all but the passkeys, whose ids have many lengths. */
    private static String shape(Reply options) {
        JsonObject json = options.json();
        List<JsonObject> offered = json.objects("allowCredentials");
        String size =
                Integer.toString(json.remove("allowCredentials").toString().length());
        return options.status() + " " + headers(options) + json.names() + size
                + (offered.isEmpty() ? " nothing" : " " + offered.get(0).names());
    }

    private static String refusal(Reply reply) {
        JsonObject json = reply.json();
        int size = json.string("correlationId", "").length();
        return reply.status() + " " + headers(reply) + json.remove("correlationId") + size;
    }

    private static Set<String> headers(Reply reply) {
        Set<String> names = new TreeSet<>();
        reply.headers().keySet().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        names.removeAll(OF_THE_MOMENT);
        return names;
    }
}
