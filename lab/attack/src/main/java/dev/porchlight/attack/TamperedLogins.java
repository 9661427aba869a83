// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Precondition;
import java.util.Set;

/** Every tampered login of the testkit, with and without a user name. */
final class TamperedLogins extends Attack {
    @Override
    void attempt() {
        mutations(this::attempt, CeremonyType.AUTHENTICATION, CeremonyType.USERNAMELESS);
    }

    private void attempt(Mutation mutation) {
        Set<Precondition> preconditions = mutation.preconditions();
        Account person = preconditions.contains(Precondition.BACKUP_ELIGIBLE) ? scene.synced() : attacker;
        if (preconditions.contains(Precondition.COUNTED) || preconditions.contains(Precondition.EARLIER_CEREMONY)) {
            person.login();
        }
        String query = mutation.ceremony() == CeremonyType.USERNAMELESS ? "" : person.query();
        String options = target.get(Person.LOGIN_OPTIONS + query).body();
        if (needsVerification(mutation, options)) {
            return;
        }
        String tampered = person.browser().get(options, mutation);
        judge(mutation + " (" + mutation.target() + ')', target.post(Person.LOGIN_FINISH + query, tampered));
    }
}
