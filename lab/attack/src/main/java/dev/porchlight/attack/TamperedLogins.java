// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.tamper.Precondition;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Every tampered login of the testkit, with and without a user name. */
final class TamperedLogins implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        List<Mutation> mutations = new ArrayList<>(Mutations.invalid(CeremonyType.AUTHENTICATION));
        mutations.addAll(Mutations.invalid(CeremonyType.USERNAMELESS));
        // random order: when time is short, each run tries different ones
        Collections.shuffle(mutations);
        for (Mutation mutation : mutations) {
            if (scene.target().isOver()) {
                score.outOfTime(mutation.toString());
            } else {
                attempt(mutation, scene, score);
            }
        }
    }

    private static void attempt(Mutation mutation, Scene scene, Score score) {
        Set<Precondition> preconditions = mutation.preconditions();
        Account person = preconditions.contains(Precondition.BACKUP_ELIGIBLE) ? scene.synced() : scene.attacker();
        if (preconditions.contains(Precondition.COUNTED) || preconditions.contains(Precondition.EARLIER_CEREMONY)) {
            person.login();
        }
        String query = mutation.ceremony() == CeremonyType.USERNAMELESS ? "" : person.query();
        String options = scene.target().get(Person.LOGIN_OPTIONS + query).body();
        if (preconditions.contains(Precondition.USER_VERIFICATION_REQUIRED) && !demandsVerification(options)) {
            score.skip(mutation.toString(), "the service does not demand user verification");
            return;
        }
        String tampered = person.browser().get(options, mutation);
        score.judge(
                mutation + " (" + mutation.target() + ')', scene.target().post(Person.LOGIN_FINISH + query, tampered));
    }

    /** Whether the options of either ceremony require user verification. */
    static boolean demandsVerification(String options) {
        JsonObject all = JsonObject.parse(options);
        JsonObject selection = all.has("authenticatorSelection") ? all.object("authenticatorSelection") : all;
        return selection.string("userVerification", "").equals("required");
    }
}
