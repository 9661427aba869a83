// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.DomException;
import dev.porchlight.testkit.wire.JsonException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Attacks a service that one owns, with everything the kit has, and reports what got through. */
public final class Main {
    private static final int GOT_THROUGH = 1;
    private static final int BAD_USE = 2;
    /** Those with the most attempts come last: they end when the time is over. */
    private static final List<Group> GROUPS = List.of(
            new Group("replays", new Replays()),
            new Group("replay-races", new ReplayRaces()),
            new Group("cross-user", new CrossUser()),
            new Group("enumeration", new Enumeration()),
            new Group("decoy-shapes", new DecoyShapes()),
            new Group("malformed-requests", new MalformedRequests()),
            new Group("malformed-http", new MalformedHttp()),
            new Group("header-tricks", new HeaderTricks()),
            new Group("http2-upgrade", new Http2Upgrade()),
            new Group("connections", new Connections()),
            new Group("lock-out", new LockOut()),
            new Group("bodies", new Bodies()),
            new Group("removal-races", new RemovalRaces()),
            new Group("forged-tokens", new ForgedTokens()),
            new Group("sessions", new SessionTricks()),
            new Group("records", new Records()),
            new Group("ended-access", new EndedAccess()),
            new Group("recycled-names", new RecycledNames()),
            new Group("user-ids", new StrangeUserIds()),
            new Group("tampered-logins", new TamperedLogins()),
            new Group("tampered-registrations", new TamperedRegistrations()),
            new Group("old-sign-ins", new OldSignIns()));

    /** Removing the passkeys takes a few requests, which the service may delay. */
    private static final long CLEARING_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final String NOT_TRIED =
            "Not tried: %swhat the lines above name; floods from many addresses; TLS, DNS and the"
                    + " proxy in front; pages in a browser; other instances; and whatever needs the database, the machine or the"
                    + " operator's secrets.";
    private static final String USAGE = """
            Attack a service that you own with everything that should be refused, and report what got through.
            Usage: porchlight attack URL [OPTION VALUE]...

              URL              where the service is, such as http://localhost:8080
              --origin         the origin of its pages; without, that of the URL
              --user-prefix    begins the names of the throw-away users; attack- without
              --only           the groups to run, comma-separated; without, all: %s
              --rate           requests a second, at most; 50 without
              --most           requests altogether, at most; 10000 without
              --rounds         how often known and unknown users are compared; 40 without
              --minutes        when to stop telling further lies in logins and registrations; 5 without
              --recent         the service's RECENT_LOGIN_SECONDS; 300 without
              --i-own-this     the URL's host, if that is not this machine

            Three users are signed up, which needs SIGNUP to be open or the service's ADMIN_TOKEN in the environment. Their
            passkeys are removed at the end. A service with a rate limit is asked as slowly as it wants. What was not tried
            is listed at the end.

            Exit status: 0 nothing got through, 1 something did, 2 bad usage or the attack could not be made.""";

    /** Attempts of one kind, and their name in the report and for {@code --only}. */
    private record Group(String name, Attack attack) {}

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.getenv(), System.out, System.err));
    }

    /** Attacks, prints what became of it, and returns the status to exit with. */
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
                throw new IllegalArgumentException("the groups are " + String.join(", ", names));
            }
        } catch (IllegalArgumentException e) {
            err.println("Error: " + e.getMessage() + "\n" + USAGE.formatted(String.join(", ", names)));
            return BAD_USE;
        }
        try {
            return attack(options, environment.get("ADMIN_TOKEN"), out);
        } catch (AttackException | DomException | JsonException e) {
            err.println("Error: " + e.getMessage());
            return BAD_USE;
        }
    }

    private static int attack(AttackOptions options, @Nullable String adminToken, PrintStream out) {
        Target target = new Target(options.address(), options.rate(), options.most());
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
                group.attack.run(scene, score);
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
        return new Report(scores).clean() ? 0 : GOT_THROUGH;
    }

    private static String leftOut(AttackOptions options) {
        List<String> names = GROUPS.stream()
                .map(Group::name)
                .filter(name -> !options.includes(name))
                .toList();
        return names.isEmpty() ? "" : "the groups " + String.join(", ", names) + "; ";
    }
}
