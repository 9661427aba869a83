// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.tamper.Precondition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Every tampered registration of the testkit, by a signed-in user who adds a passkey. */
final class TamperedRegistrations implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        List<Mutation> mutations = new ArrayList<>(Mutations.invalid(CeremonyType.REGISTRATION));
        Collections.shuffle(mutations);
        for (Mutation mutation : mutations) {
            if (mutation.preconditions().contains(Precondition.ATTESTATION_TRUSTED)) {
                score.skip(mutation.toString(), "needs the testkit's root to be trusted, which no deployment may do");
            } else if (scene.target().isOver()) {
                score.outOfTime(mutation.toString());
            } else {
                attempt(mutation, scene, score);
            }
        }
    }

    /** Uses a browser whose authenticator holds another user's passkey and none of the attacker's. */
    private static void attempt(Mutation mutation, Scene scene, Score score) {
        Set<Precondition> preconditions = mutation.preconditions();
        Account attacker = scene.attacker();
        SoftBrowser browser = scene.synced().browser();
        if (preconditions.contains(Precondition.EARLIER_CEREMONY)) {
            String id = attacker.register(browser, attacker.access().headers());
            attacker.remove(id);
            browser.authenticator().forget(id);
        }
        String options = attacker.creationOptions();
        if (preconditions.contains(Precondition.USER_VERIFICATION_REQUIRED)
                && !TamperedLogins.demandsVerification(options)) {
            score.skip(mutation.toString(), "the service does not demand user verification");
            return;
        }
        if (mutation.name().equals("key-for-rs256") && RsaSignatures.offered(options)) {
            score.skip(mutation.toString(), "the service offers RS256");
            return;
        }
        String tampered = browser.create(options, mutation);
        TestResponse response = attacker.finishRegistration(tampered);
        score.judge(mutation + " (" + mutation.target() + ')', response);
        if (response.ok()) {
            attacker.removeFurther();
        }
    }
}
