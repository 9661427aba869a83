// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.Ceremony;
import dev.porchlight.testkit.tamper.Lie;
import dev.porchlight.testkit.tamper.Premise;
import dev.porchlight.testkit.tamper.Tamper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Every lie that can be told in a registration, by a user who is signed in and adds a passkey. */
final class TamperedRegistrations implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        List<Lie> lies = new ArrayList<>(Tamper.lies(Ceremony.REGISTRATION));
        Collections.shuffle(lies);
        for (Lie lie : lies) {
            if (lie.premises().contains(Premise.ATTESTATION_TRUSTED)) {
                score.skip(lie.toString(), "told only to those who trust the kit's root, which no deployment may");
            } else if (scene.target().isOver()) {
                score.outOfTime(lie.toString());
            } else {
                tell(lie, scene, score);
            }
        }
    }

    /** In a browser whose authenticator holds another user's passkey, and none of the attacker's. */
    private static void tell(Lie lie, Scene scene, Score score) {
        Set<Premise> premises = lie.premises();
        Person attacker = scene.attacker();
        SoftBrowser browser = scene.synced().browser();
        if (premises.contains(Premise.EARLIER_CEREMONY)) {
            String id = attacker.register(browser, attacker.access().headers());
            attacker.remove(id);
            browser.authenticator().forget(id);
        }
        String options = attacker.creationOptions();
        if (premises.contains(Premise.USER_VERIFICATION_REQUIRED) && !TamperedLogins.demandsVerification(options)) {
            score.skip(lie.toString(), "the service does not demand user verification");
            return;
        }
        String told = browser.create(options, lie);
        Response response = attacker.finishRegistration(told);
        score.judge(lie + " (" + lie.target() + ')', response);
        if (response.success()) {
            attacker.removeFurther();
        }
    }
}
