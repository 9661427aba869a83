// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Compares the responses for existing and unknown users. */
final class Enumeration extends Attack {
    /** Headers that differ between any two responses. */
    private static final Set<String> VARYING = Set.of("date", "x-correlation-id", "traceparent");
    /** After this many candidates, any name is used. */
    private static final int MOST_NAMES = 50;
    /** The service may update its decoys with a delay. */
    private static final int MOST_SECONDS = 10;

    @Override
    void attempt() {
        TimingComparison options = new TimingComparison("login options");
        TimingComparison finishes = new TimingComparison("refused logins");
        List<String> known = scene.people().stream().map(Account::query).toList();
        awaitDecoys(known.get(0));
        List<String> unknown = lookalikes(known);
        List<Boolean> knownComesFirst = inRandomOrder(scene.rounds());
        for (int i = 0; i < scene.rounds(); i++) {
            boolean knownFirst = knownComesFirst.get(i);
            String one = known.get(i % known.size());
            String other = unknown.get(i % unknown.size());
            Pair offered = options.both(knownFirst, optionsRequest(one), optionsRequest(other));
            String shape = shape(offered.unknown);
            check(
                    "options of an unknown user",
                    shape.equals(shape(offered.known)),
                    shape + " where a known user has " + shape(offered.known));
            Pair refused = finishes.both(
                    knownFirst,
                    tamperedLogin(one, offered.known),
                    tamperedLogin(other, offered.unknown.ok() ? offered.unknown : offered.known));
            String refusal = refusal(refused.unknown);
            check(
                    "a refused login of an unknown user",
                    refusal.equals(refusal(refused.known)),
                    refusal + " where a known user has " + refusal(refused.known));
        }
        decoys();
        note(options.compare());
        note(finishes.compare());
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

    /** Waits until the decoys of a new service, whose first passkeys are those of the attack, look like these. */
    private void awaitDecoys(String known) {
        String shape = shape(optionsRequest(known).get());
        String unknown = Web.user(scene.unknown() + 0);
        for (int i = 0;
                i < MOST_SECONDS && !shape.equals(shape(optionsRequest(unknown).get()));
                i++) {
            Target.sleep(TimeUnit.SECONDS.toNanos(1));
        }
    }

    /** Unknown names that seem to have such passkeys as the known users; others may seem to have those of other users. */
    private List<String> lookalikes(List<String> known) {
        String sought = look(known.get(0));
        List<String> alike = new ArrayList<>();
        for (int i = 0; alike.size() < known.size(); i++) {
            String query = Web.user(scene.unknown() + i);
            if (i >= MOST_NAMES || look(query).equals(sought)) {
                alike.add(query);
            }
        }
        return alike;
    }

    /** The shape of the options of a user, with the number of passkeys. */
    private String look(String query) {
        TestResponse options = optionsRequest(query).get();
        return options.jsonIfAny().objects("allowCredentials").size() + " passkeys, " + shape(options);
    }

    private Supplier<TestResponse> optionsRequest(String query) {
        return () -> target.get(Person.LOGIN_OPTIONS + query);
    }

    /** A login with the first offered passkey, signed with another key. */
    private Supplier<TestResponse> tamperedLogin(String query, TestResponse options) {
        JsonObject request = options.jsonIfAny();
        List<JsonObject> offered = request.objects("allowCredentials");
        JsonObject mutation = JsonObject.parse(attacker.browser()
                .get(
                        request.put("allowCredentials", List.of()).toString(),
                        Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off")));
        mutation.object("response").remove("userHandle");
        if (!offered.isEmpty()) {
            String id = offered.get(0).string("id");
            mutation.put("id", id).put("rawId", id);
        }
        String body = mutation.toString();
        return () -> target.post(Person.LOGIN_FINISH + query, body);
    }

    /** Decoys must be stable for one unknown user, and differ between unknown users. */
    private void decoys() {
        String unknown = Person.LOGIN_OPTIONS + Web.user(scene.unknown() + 0);
        String first = offered(target.get(unknown));
        check(
                "an unknown user, requested twice",
                first.equals(offered(target.get(unknown))),
                "different passkeys each time, unlike a known user");
        check(
                "two unknown users",
                !first.equals(offered(target.get(Person.LOGIN_OPTIONS + Web.user(scene.unknown() + 1)))),
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

    /** The responses for a known and an unknown user. */
    private record Pair(TestResponse known, TestResponse unknown) {}

    /** Compares the response times for existing and unknown users with a rank test. Not thread-safe. */
    private final class TimingComparison {
        private static final double SIGNIFICANT = 0.001;

        private final String what;
        private final long[] known = new long[scene.rounds()];
        private final long[] unknown = new long[scene.rounds()];
        private int rounds;

        TimingComparison(String what) {
            this.what = what;
        }

        Pair both(boolean knownFirst, Supplier<TestResponse> ofKnown, Supplier<TestResponse> ofUnknown) {
            TestResponse early = (knownFirst ? ofKnown : ofUnknown).get();
            (knownFirst ? known : unknown)[rounds] = target.tookNanos();
            TestResponse late = (knownFirst ? ofUnknown : ofKnown).get();
            (knownFirst ? unknown : known)[rounds++] = target.tookNanos();
            return knownFirst ? new Pair(early, late) : new Pair(late, early);
        }

        /** The medians, the result of the rank test, and the conclusion. */
        String compare() {
            RankTest test = RankTest.of(known, unknown);
            return String.format(
                    Locale.ROOT,
                    "timing of %s, %d of each: median %.3f ms known, %.3f ms unknown; U = %.0f, known the slower in"
                            + " %.2f %% of pairs, p = %.3f: %s",
                    what,
                    rounds,
                    median(known) / 1e6,
                    median(unknown) / 1e6,
                    test.u(),
                    100 * test.greater(),
                    test.probability(),
                    test.probability() < SIGNIFICANT ? "DIFFERENT" : "no difference found");
        }

        private double median(long[] samples) {
            long[] sorted = samples.clone();
            Arrays.sort(sorted);
            int half = sorted.length / 2;
            return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0;
        }
    }
}
