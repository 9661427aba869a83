// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Precondition;
import java.util.Set;

/** Every tampered registration of the testkit, by a signed-in user who adds a passkey. */
final class TamperedRegistrations extends Attack {
    @Override
    void attempt() {
        mutations(this::attempt, CeremonyType.REGISTRATION);
    }

    /** Uses a browser whose authenticator holds another user's passkey and none of the attacker's. */
    private void attempt(Mutation mutation) {
        Set<Precondition> preconditions = mutation.preconditions();
        if (preconditions.contains(Precondition.ATTESTATION_TRUSTED)) {
            skip(mutation.toString(), "needs the testkit's root to be trusted, which no deployment may do");
            return;
        }
        SoftBrowser browser = scene.synced().browser();
        if (preconditions.contains(Precondition.EARLIER_CEREMONY)) {
            String id = attacker.register(browser, attacker.access().headers());
            attacker.remove(id);
            browser.authenticator().forget(id);
        }
        String options = attacker.creationOptions();
        if (needsVerification(mutation, options)) {
            return;
        }
        if (mutation.name().equals("key-for-rs256") && RsaSignatures.offered(options)) {
            skip(mutation.toString(), "the service offers RS256");
            return;
        }
        String tampered = browser.create(options, mutation);
        TestResponse response = attacker.finishRegistration(tampered);
        judge(mutation + " (" + mutation.target() + ')', response);
        if (response.ok()) {
            attacker.removeFurther();
        }
    }
}
