// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.tamper.Precondition;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** A group of attempts of one kind. Not thread-safe. */
@SuppressWarnings("NullAway.Init") // set before the first attempt
abstract class Attack {
    /** How often a request is sent concurrently in a race. */
    static final int RUNNERS = 64;

    Scene scene;
    Target target;
    Account attacker;
    Account victim;
    private Score score;

    /** Makes all attempts and records their results. */
    final void run(Scene where, Score results) {
        scene = where;
        target = where.target();
        attacker = where.attacker();
        victim = where.victim();
        score = results;
        attempt();
    }

    abstract void attempt();

    /** An attempt that must be refused. */
    final void judge(String attempt, TestResponse response) {
        score.judge(attempt, response);
    }

    /** A valid request that must be served in spite of the attack. No response is status 0. */
    final void expectServed(String attempt, int status) {
        score.expectServed(attempt, status);
    }

    /** An attempt that was refused if the condition holds. */
    final void check(String attempt, boolean held, String otherwise) {
        score.check(attempt, held, otherwise);
    }

    /** Attempts of which at most one may succeed; returns those that did. */
    final List<TestResponse> oneWinner(String what, List<TestResponse> responses) {
        List<TestResponse> winners = responses.stream().filter(TestResponse::ok).toList();
        for (int i = 1; i < RUNNERS; i++) {
            check(what + ", " + RUNNERS + " times at once", i >= winners.size(), "accepted " + (i + 1) + " times");
        }
        return winners;
    }

    /** Invalid mutations in random order: when time is short, each run tries different ones. */
    final void mutations(Consumer<Mutation> attempt, CeremonyType... ceremonies) {
        List<Mutation> mutations = new ArrayList<>();
        for (CeremonyType ceremony : ceremonies) {
            mutations.addAll(Mutations.invalid(ceremony));
        }
        Collections.shuffle(mutations);
        for (Mutation mutation : mutations) {
            if (target.isOver()) {
                outOfTime(mutation.toString());
            } else {
                attempt.accept(mutation);
            }
        }
    }

    /** Whether the mutation cannot be tried, because the options of either ceremony do not require user verification. */
    final boolean needsVerification(Mutation mutation, String options) {
        JsonObject all = JsonObject.parse(options);
        JsonObject selection = all.has("authenticatorSelection") ? all.object("authenticatorSelection") : all;
        boolean missing = mutation.preconditions().contains(Precondition.USER_VERIFICATION_REQUIRED)
                && !selection.string("userVerification", "").equals("required");
        if (missing) {
            skip(mutation.toString(), "the service does not demand user verification");
        }
        return missing;
    }

    /** An attempt that may get through if a proxy in front responds in place of the service. */
    final void checkUnlessProxied(String attempt, boolean held, String otherwise) {
        if (held || !target.isBehindProxy()) {
            check(attempt, held, otherwise);
        } else {
            skip(attempt, "a proxy in front decides: it " + otherwise);
        }
    }

    final void skip(String attempt, String why) {
        score.skip(attempt, why);
    }

    /** An attempt skipped for lack of time. */
    final void outOfTime(String attempt) {
        score.skip(attempt, "out of time: raise the service's RATE_LIMIT_PER_MINUTE for the attack, or --minutes");
    }

    final void note(String text) {
        score.note(text);
    }

    /** The request headers for a token. */
    static String[] bearer(String token) {
        return GrantedAccess.bearer(token);
    }
}
