// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Unbounded audit rows and false configuration alerts, caused by anonymous clients. */
final class Records extends Attack {
    private static final String UNREADABLE = "/metrics is not readable, or there are several instances";
    private static final String REPORT = "/auth/passkey/report";
    private static final String AUDIT_ROWS = "audit_rows_total{result=\"written\"}";
    private static final String CONFIG_REPORTS =
            "passkey_browser_outcomes_total{ceremony=\"login\",outcome=\"config\"}";

    /** The service aggregates refusals beyond a rate per minute, and a service with a rate limit may need two minutes. */
    private static final int REFUSALS = 50;

    private static final int ROWS = 42;

    @Override
    void attempt() {
        reports();
        auditRows();
    }

    /** Logins under unknown names, each with the attacker's own passkey. */
    private void auditRows() {
        String attempt = REFUSALS + " refused logins under new names";
        OptionalDouble before = metric(AUDIT_ROWS);
        if (before.isEmpty()) {
            skip(attempt, UNREADABLE);
            return;
        }
        for (int i = 0; i < REFUSALS; i++) {
            if (target.isOver()) {
                skip(attempt, "the time was up");
                return;
            }
            String unknown = Web.user("unknown-" + System.nanoTime() + "-" + i);
            String options = target.get(Person.LOGIN_OPTIONS + unknown).body();
            String response = attacker.browser().get(Person.forAnyPasskey(options));
            target.post(Person.LOGIN_FINISH + unknown, response);
        }
        double rows = metric(AUDIT_ROWS).orElse(before.getAsDouble()) - before.getAsDouble();
        check(attempt, rows <= ROWS, "wrote " + Math.round(rows) + " audit rows");
    }

    /** Reports a wrong page configuration for options that the service never issued. */
    private void reports() {
        String challenge = JsonObject.parse(attacker.options()).string("challenge");
        report("a browser's report without options", new JsonObject());
        report(
                "a browser's report about options that were not issued",
                new JsonObject().put("challenge", "A".repeat(challenge.length())));
        report(
                "a browser's report about another user's options",
                new JsonObject().put("challenge", challenge).put("userId", "unknown"));
    }

    private void report(String attempt, JsonObject about) {
        OptionalDouble before = metric(CONFIG_REPORTS);
        if (before.isEmpty()) {
            skip(attempt, UNREADABLE);
            return;
        }
        String body = about.put("ceremony", "login")
                .put("outcome", "config")
                .put("origin", scene.origin())
                .toString();
        target.post(REPORT, body);
        boolean counted = metric(CONFIG_REPORTS).orElse(0) > before.getAsDouble();
        check(attempt, !counted, "was counted and raises an alert");
    }

    /** A sample of the service's metrics; empty if they are not served, or those of another instance each time. */
    private OptionalDouble metric(String series) {
        OptionalDouble one = sample(series);
        return one.equals(sample(series)) ? one : OptionalDouble.empty();
    }

    /** A sample of one instance; 0 if it is missing. */
    private OptionalDouble sample(String series) {
        TestResponse metrics = target.get("/metrics");
        if (!metrics.ok()) {
            return OptionalDouble.empty();
        }
        Matcher sample = Pattern.compile("^" + Pattern.quote(series) + " (\\S+)", Pattern.MULTILINE)
                .matcher(metrics.body());
        return OptionalDouble.of(sample.find() ? Double.parseDouble(sample.group(1)) : 0);
    }
}
