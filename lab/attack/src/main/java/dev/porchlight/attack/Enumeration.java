// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Compares the responses for existing and unknown users. */
final class Enumeration implements Attack {
    /** Headers that differ between any two responses. */
    private static final Set<String> VARYING = Set.of("date", "x-correlation-id", "traceparent");
    /** After this many candidates, any name is used. */
    private static final int MOST_NAMES = 50;

    @Override
    public void run(Scene scene, Score score) {
        TimingComparison options = new TimingComparison("login options", scene.target(), scene.rounds());
        TimingComparison finishes = new TimingComparison("refused logins", scene.target(), scene.rounds());
        List<String> known = scene.people().stream().map(Account::query).toList();
        List<String> unknown = lookalikes(scene, known);
        List<Boolean> knownComesFirst = inRandomOrder(scene.rounds());
        for (int i = 0; i < scene.rounds(); i++) {
            Supplier<TestResponse> optionsKnown = optionsRequest(scene, known.get(i % known.size()));
            Supplier<TestResponse> optionsUnknown = optionsRequest(scene, unknown.get(i % unknown.size()));
            boolean knownFirst = knownComesFirst.get(i);
            TestResponse early = knownFirst ? options.known(optionsKnown) : options.unknown(optionsUnknown);
            TestResponse late = knownFirst ? options.unknown(optionsUnknown) : options.known(optionsKnown);
            TestResponse ofKnown = knownFirst ? early : late;
            TestResponse ofUnknown = knownFirst ? late : early;
            score.check(
                    "options of an unknown user",
                    shape(ofUnknown).equals(shape(ofKnown)),
                    shape(ofUnknown) + " where a known user has " + shape(ofKnown));

            Supplier<TestResponse> finishKnown = tamperedLogin(scene, known.get(i % known.size()), ofKnown);
            Supplier<TestResponse> finishUnknown =
                    tamperedLogin(scene, unknown.get(i % unknown.size()), ofUnknown.ok() ? ofUnknown : ofKnown);
            early = knownFirst ? finishes.known(finishKnown) : finishes.unknown(finishUnknown);
            late = knownFirst ? finishes.unknown(finishUnknown) : finishes.known(finishKnown);
            String refusedKnown = refusal(knownFirst ? early : late);
            String refusedUnknown = refusal(knownFirst ? late : early);
            score.check(
                    "a refused login of an unknown user",
                    refusedUnknown.equals(refusedKnown),
                    refusedUnknown + " where a known user has " + refusedKnown);
        }
        decoys(scene, score);
        score.note(options.compare());
        score.note(finishes.compare());
    }

    /** Whether the known user goes first, by round: in half of the rounds, in random order, since the first request has an advantage. */
    private static List<Boolean> inRandomOrder(int rounds) {
        List<Boolean> order = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            order.add(i % 2 == 0);
        }
        Collections.shuffle(order);
        return order;
    }

    /** Unknown names that are offered as many passkeys as the known users. */
    private static List<String> lookalikes(Scene scene, List<String> known) {
        int passkeys = offeredTo(scene, known.get(0));
        List<String> alike = new ArrayList<>();
        for (int i = 0; alike.size() < known.size(); i++) {
            String query = Web.user(scene.unknown() + i);
            if (i >= MOST_NAMES || offeredTo(scene, query) == passkeys) {
                alike.add(query);
            }
        }
        return alike;
    }

    private static int offeredTo(Scene scene, String query) {
        return optionsRequest(scene, query)
                .get()
                .jsonIfAny()
                .objects("allowCredentials")
                .size();
    }

    private static Supplier<TestResponse> optionsRequest(Scene scene, String query) {
        return () -> scene.target().get(Person.LOGIN_OPTIONS + query);
    }

    /** A login with the first offered passkey, signed with another key. */
    private static Supplier<TestResponse> tamperedLogin(Scene scene, String query, TestResponse options) {
        JsonObject request = options.jsonIfAny();
        List<JsonObject> offered = request.objects("allowCredentials");
        JsonObject mutation = JsonObject.parse(scene.attacker()
                .browser()
                .get(
                        request.put("allowCredentials", List.of()).toString(),
                        Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off")));
        mutation.object("response").remove("userHandle");
        if (!offered.isEmpty()) {
            String id = offered.get(0).string("id");
            mutation.put("id", id).put("rawId", id);
        }
        String body = mutation.toString();
        return () -> scene.target().post(Person.LOGIN_FINISH + query, body);
    }

    /** Decoys must be stable for one unknown user, and differ between unknown users. */
    private static void decoys(Scene scene, Score score) {
        String unknown = Person.LOGIN_OPTIONS + Web.user(scene.unknown() + 0);
        String first = offered(scene.target().get(unknown));
        score.check(
                "an unknown user, requested twice",
                first.equals(offered(scene.target().get(unknown))),
                "different passkeys each time, unlike a known user");
        score.check(
                "two unknown users",
                !first.equals(offered(scene.target().get(Person.LOGIN_OPTIONS + Web.user(scene.unknown() + 1)))),
                "the same passkeys, or none, for all unknown users");
    }

    private static String offered(TestResponse options) {
        return String.valueOf(options.jsonIfAny().get("allowCredentials"));
    }

    /** Status, names of headers and members, and the size without the passkeys, whose ids vary in length. */
    private static String shape(TestResponse options) {
        JsonObject json = options.jsonIfAny();
        List<JsonObject> offered = json.objects("allowCredentials");
        String size =
                Integer.toString(json.remove("allowCredentials").toString().length());
        return options.status() + " " + headers(options) + json.names() + size
                + (offered.isEmpty() ? " nothing" : " " + offered.get(0).names());
    }

    private static String refusal(TestResponse response) {
        JsonObject json = response.jsonIfAny();
        int size = json.string("correlationId", "").length();
        return response.status() + " " + headers(response) + json.remove("correlationId") + size;
    }

    private static Set<String> headers(TestResponse response) {
        Set<String> names = new TreeSet<>();
        response.headers().map().keySet().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        names.removeAll(VARYING);
        return names;
    }
}
