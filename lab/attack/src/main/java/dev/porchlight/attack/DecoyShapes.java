// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Registers passkeys of unusual shapes and looks for decoys of unknown users with the same shapes. */
final class DecoyShapes extends Attack {
    /** Common, missing and unusual transports. */
    private static final List<String[]> TRANSPORTS =
            List.of(new String[] {"usb"}, new String[0], new String[] {"ble", "smart-card"});

    private static final int MOST_NAMES = 200;
    /** The service may update its decoys with a delay. */
    private static final long DELAY_NANOS = TimeUnit.SECONDS.toNanos(8);

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** Where users have many passkeys, one of 256 decoys may have a rare shape. One of 2,500 attempts does not see it. */
    private static final int ENOUGH_NAMES = 2_000;

    @Override
    void attempt() {
        for (String[] transports : TRANSPORTS) {
            var authenticator =
                    SoftAuthenticator.builder().transports(transports).build();
            attacker.register(
                    new SoftBrowser(scene.origin(), authenticator),
                    attacker.access().headers());
        }
        List<JsonObject> offered = offered(attacker.userId());
        if (offered.isEmpty()) {
            skip("passkeys of unusual shapes", "the service shows no passkeys of the user");
            return;
        }
        Set<String> missing = new HashSet<>();
        offered.forEach(passkey -> missing.add(kind(passkey)));
        missing.add(number(offered));
        Set<String> sought = Set.copyOf(missing);
        Set<String> seen = new HashSet<>();
        long started = System.nanoTime();
        int names = 0;
        int late = 0;
        while (!missing.isEmpty() && (names < MOST_NAMES || System.nanoTime() - started < TIMEOUT_NANOS)) {
            late += System.nanoTime() - started < DELAY_NANOS ? 0 : 1;
            List<JsonObject> decoys = offered(scene.unknown() + "-shape-" + names++);
            decoys.forEach(passkey -> seen.add(kind(passkey)));
            missing.removeAll(seen);
            missing.remove(number(decoys));
        }
        for (String shape : sought) {
            if (missing.contains(shape) && !seen.isEmpty() && late < ENOUGH_NAMES) {
                skip(shape, "none of " + names + " unknown users has this, too few to judge");
            } else {
                check(
                        shape,
                        !missing.contains(shape),
                        "none of " + names + " unknown users has this, so it reveals an account");
            }
        }
        attacker.removeFurther();
    }

    private List<JsonObject> offered(String user) {
        return target.get(Person.LOGIN_OPTIONS + Web.user(user)).jsonIfAny().objects("allowCredentials");
    }

    /** The visible properties of a passkey, except its id. */
    private static String kind(JsonObject passkey) {
        return "a passkey with an id of " + passkey.octets("id").length + " bytes and "
                + (passkey.has("transports") ? "the transports " + passkey.get("transports") : "no transports");
    }

    private static String number(List<JsonObject> passkeys) {
        return "a user with " + passkeys.size() + " passkeys";
    }
}
