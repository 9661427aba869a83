// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.tamper.Ceremony;
import dev.porchlight.testkit.tamper.Lie;
import dev.porchlight.testkit.tamper.Premise;
import dev.porchlight.testkit.tamper.Tamper;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Every lie that can be told in a login, of a user who is named and of one who is not. */
final class TamperedLogins implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        List<Lie> lies = new ArrayList<>(Tamper.lies(Ceremony.AUTHENTICATION));
        lies.addAll(Tamper.lies(Ceremony.USERNAMELESS));
        // Where the time does not suffice for all, each attack tries others.
        Collections.shuffle(lies);
        for (Lie lie : lies) {
            if (scene.target().isOver()) {
                score.outOfTime(lie.toString());
            } else {
                tell(lie, scene, score);
            }
        }
    }

    private static void tell(Lie lie, Scene scene, Score score) {
        Set<Premise> premises = lie.premises();
        Person person = premises.contains(Premise.BACKUP_ELIGIBLE) ? scene.synced() : scene.attacker();
        if (premises.contains(Premise.COUNTED) || premises.contains(Premise.EARLIER_CEREMONY)) {
            person.login();
        }
        String query = lie.ceremony() == Ceremony.USERNAMELESS ? "" : person.query();
        String options = scene.target().get(Person.LOGIN_OPTIONS + query).body();
        if (premises.contains(Premise.USER_VERIFICATION_REQUIRED) && !demandsVerification(options)) {
            score.skip(lie.toString(), "the service does not demand user verification");
            return;
        }
        String told = person.browser().get(options, lie);
        score.judge(lie + " (" + lie.target() + ')', scene.target().post(Person.LOGIN_FINISH + query, told));
    }

    /** Whether options of either ceremony demand that the authenticator verifies the user. */
    static boolean demandsVerification(String options) {
        JsonObject all = JsonObject.parse(options);
        JsonObject selection = all.has("authenticatorSelection") ? all.object("authenticatorSelection") : all;
        return selection.string("userVerification", "").equals("required");
    }
}
