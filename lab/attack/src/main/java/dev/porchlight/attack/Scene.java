// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The service and its throw-away users. Not thread-safe.
 *
 * @param attacker a user whose authenticator also holds a passkey of the victim
 * @param victim another user, with the same authenticator
 * @param synced a user with a synced passkey, in a separate authenticator
 * @param unknown the prefix of names that do not exist
 * @param rounds how often to compare known with unknown users
 * @param adminToken the service's admin token, if given
 * @param first a sign-in that ages during the attack
 */
record Scene(
        Target target,
        String origin,
        Account attacker,
        Account victim,
        Account synced,
        String unknown,
        int rounds,
        @Nullable String adminToken,
        Early first) {
    /** The first sign-in of {@link #synced} and the time when it stops being recent, in nanoseconds. */
    static final class Early {
        private @Nullable GrantedAccess access;
        private long oldAt;
    }

    /** Signs up the users. */
    static Scene set(Target target, AttackOptions options, @Nullable String adminToken) {
        String origin = options.origin();
        byte[] random = new byte[5];
        new SecureRandom().nextBytes(random);
        String name = options.prefix() + HexFormat.of().formatHex(random);
        SoftAuthenticator shared = SoftAuthenticator.builder().build();
        SoftAuthenticator own = SoftAuthenticator.builder().backup(true, true).build();
        Scene scene = new Scene(
                target,
                origin,
                new Account(target, name + "-attacker", new SoftBrowser(origin, shared)),
                new Account(target, name + "-victim", new SoftBrowser(origin, shared)),
                new Account(target, name + "-synced", new SoftBrowser(origin, own)),
                name + "-unknown",
                options.rounds(),
                adminToken,
                new Early());
        try {
            scene.people().forEach(person -> person.enroll(adminToken));
            scene.first.access = scene.synced.login();
            scene.first.oldAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.recent());
        } catch (RuntimeException e) {
            scene.clear();
            throw e;
        }
        return scene;
    }

    /** The first sign-in. */
    GrantedAccess early() {
        return Objects.requireNonNull(first.access);
    }

    /** The time until the first sign-in stops being recent; negative if it already has. */
    Duration untilOld() {
        return Duration.ofNanos(first.oldAt - System.nanoTime());
    }

    /** A browser with an empty authenticator. */
    SoftBrowser freshBrowser() {
        return new SoftBrowser(origin, SoftAuthenticator.securityKey());
    }

    /** Removes the users' passkeys and returns the users for which that failed. */
    List<String> clear() {
        return people().stream()
                .filter(person -> !person.leave())
                .map(Account::userId)
                .toList();
    }

    List<Account> people() {
        return List.of(attacker, victim, synced);
    }
}
