// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.DomException;
import dev.porchlight.testkit.wire.JsonException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Attacks a service that the caller owns with every tampering of the testkit, and reports what got through. */
public final class Main {
    private static final int GOT_THROUGH = 1;
    private static final int BAD_USE = 2;
    /** In running order. The groups with the most attempts come last: they stop when the time is up. */
    private static final List<Group> GROUPS = List.of(
            new Group("replays", Replays::new),
            new Group("replay-races", ReplayRaces::new),
            new Group("cross-user", CrossUser::new),
            new Group("enumeration", Enumeration::new),
            new Group("decoy-shapes", DecoyShapes::new),
            new Group("malformed-requests", MalformedApiRequests::new),
            new Group("malformed-http", MalformedHttp::new),
            new Group("header-tricks", HeaderTricks::new),
            new Group("http2-upgrade", Http2Upgrade::new),
            new Group("connections", Connections::new),
            new Group("lock-out", LockOut::new),
            new Group("bodies", Bodies::new),
            new Group("removal-races", RemovalRaces::new),
            new Group("forged-tokens", ForgedTokens::new),
            new Group("sessions", SessionTricks::new),
            new Group("records", Records::new),
            new Group("ended-access", EndedAccess::new),
            new Group("recovery", RecoveredAccess::new),
            new Group("escalation", Escalation::new),
            new Group("recycled-names", RecycledNames::new),
            new Group("user-ids", ConfusableUserIds::new),
            new Group("openid-redirects", OpenIdRedirects::new),
            new Group("openid-codes", OpenIdCodes::new),
            new Group("openid-cross-site", OpenIdCrossSite::new),
            new Group("openid-proofs", OpenIdProofs::new),
            new Group("openid-token-types", OpenIdTokenTypes::new),
            new Group("openid-bounds", OpenIdBounds::new),
            new Group("rsa-signatures", RsaSignatures::new),
            new Group("tampered-logins", TamperedLogins::new),
            new Group("tampered-registrations", TamperedRegistrations::new),
            new Group("old-sign-ins", OldSignIns::new));

    /** Removing the passkeys needs a few requests, which the service may delay. */
    private static final long CLEARING_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final String NOT_TRIED =
            "Not tried: %sthe attempts listed above; floods from many addresses; TLS, DNS and the proxy in front;"
                    + " pages in a browser; attacks that need the database, the machine or the operator's"
                    + " secrets.";
    private static final String USAGE = """
        Attack a service that you own with requests that it must refuse, and report what got through.
        Usage: porchlight attack URL... [OPTION VALUE]...

          URL              the service, for example http://localhost:8080; or its instances, which get requests in turn
          --origin         the origin of its pages (default: the origin of the URL)
          --user-prefix    prefix of the throw-away users' names (default attack-)
          --only           the groups to run, comma-separated (default all): %s
          --rate           requests per second (default 50)
          --most           maximum number of requests (default 50000)
          --rounds         how often to compare known with unknown users (default 40)
          --minutes        time limit for tampered logins and registrations (default 5)
          --recent         the service's RECENT_LOGIN_SECONDS (default 300)
          --i-own-this     the URL's host, to confirm that you own it if it is not this machine

        The attack signs up three users, which requires SIGNUP=open or the service's ADMIN_TOKEN in the environment. Their
        passkeys are removed at the end. The attack honors the service's rate limit. Skipped attempts
        are listed at the end.

        Exit status: 0 nothing got through, 1 something got through, 2 invalid usage, or the attack could not run or a
        group not be tried to its end. Attempts that the service's settings rule out do not count.\
        """;

    /** Attempts of one kind, with their name in the report and for {@code --only}. */
    private record Group(String name, Supplier<Attack> attack) {}

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.getenv(), System.out, System.err));
    }

    /** Runs the attack, prints the report and returns the exit status. */
    public static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        List<String> names = GROUPS.stream().map(Group::name).toList();
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.println(USAGE.formatted(String.join(", ", names)));
            return 0;
        }
        AttackOptions options;
        try {
            options = AttackOptions.parse(arguments);
            if (!names.containsAll(options.only())) {
                throw new IllegalArgumentException("--only accepts these groups: " + String.join(", ", names));
            }
        } catch (IllegalArgumentException e) {
            err.println("Error: " + e.getMessage() + "\n" + USAGE.formatted(String.join(", ", names)));
            return BAD_USE;
        }
        try {
            return attack(options, environment.get("ADMIN_TOKEN"), out);
        } catch (AttackException | AssertionError | DomException | JsonException e) {
            err.println("Error: " + e.getMessage());
            return BAD_USE;
        }
    }

    private static int attack(AttackOptions options, @Nullable String adminToken, PrintStream out) {
        Target target = new Target(options.instances(), options.rate(), options.most());
        Scene scene = Scene.set(target, options, adminToken);
        List<Score> scores = new ArrayList<>();
        boolean done = false;
        try {
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(options.minutes()) - CLEARING_NANOS;
            List<Group> chosen =
                    GROUPS.stream().filter(it -> options.includes(it.name)).toList();
            for (Group group : chosen) {
                target.shareUntil(end, chosen.size() - scores.size());
                Score score = new Score(group.name);
                scores.add(score);
                scene.people().forEach(Account::forget); // each group starts with its own sign-ins
                try {
                    group.attack.get().run(scene, score);
                } catch (AttackException | AssertionError | DomException | JsonException e) {
                    if (target.isExhausted()) {
                        throw e;
                    }
                    score.breakOff(String.valueOf(e.getMessage()));
                }
            }
            done = true;
        } finally {
            List<String> left = scene.clear();
            Report report = new Report(scores);
            report.print(out, done);
            if (done) {
                out.println(NOT_TRIED.formatted(leftOut(options)));
            }
            if (!left.isEmpty()) {
                out.println("The passkeys of these users could not be removed: " + String.join(", ", left));
            }
        }
        boolean complete = scores.stream().allMatch(Score::complete);
        return !new Report(scores).clean() ? GOT_THROUGH : complete ? 0 : BAD_USE;
    }

    private static String leftOut(AttackOptions options) {
        List<String> names = GROUPS.stream()
                .map(Group::name)
                .filter(name -> !options.includes(name))
                .toList();
        return names.isEmpty() ? "" : "the groups " + String.join(", ", names) + "; ";
    }
}
