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
 * The service and the throw-away users who are signed up there. For one thread.
 *
 * @param attacker whose authenticator holds a passkey of the victim too
 * @param victim somebody else, at the same authenticator
 * @param synced one whose passkey is synchronised, at an authenticator of his own
 * @param unknown begins the names of users who do not exist
 * @param rounds how often known and unknown users are compared
 * @param adminToken the service's admin token, if it was given
 * @param first a sign-in that grows old
 */
record Scene(
        Target target,
        String origin,
        Person attacker,
        Person victim,
        Person synced,
        String unknown,
        int rounds,
        @Nullable String adminToken,
        Early first) {
    /** The first sign-in of {@link #synced}, and when it is no longer recent, in nanoseconds. */
    static final class Early {
        private @Nullable Access access;
        private long oldAt;
    }

    /** Signs them up. */
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
                new Person(target, name + "-attacker", new SoftBrowser(origin, shared)),
                new Person(target, name + "-victim", new SoftBrowser(origin, shared)),
                new Person(target, name + "-synced", new SoftBrowser(origin, own)),
                name + "-nobody",
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
    Access early() {
        return Objects.requireNonNull(first.access);
    }

    /** How long until the first sign-in is no longer recent; negative if it is not. */
    Duration untilOld() {
        return Duration.ofNanos(first.oldAt - System.nanoTime());
    }

    /** A browser with an authenticator that holds nothing. */
    SoftBrowser freshBrowser() {
        return new SoftBrowser(origin, SoftAuthenticator.securityKey());
    }

    /** Removes their passkeys, and says of whom they could not be removed. */
    List<String> clear() {
        return people().stream()
                .filter(person -> !person.leave())
                .map(Person::userId)
                .toList();
    }

    List<Person> people() {
        return List.of(attacker, victim, synced);
    }
}
