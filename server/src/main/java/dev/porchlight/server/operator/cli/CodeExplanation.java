// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.operator.explain.StepExplanation;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Prints what a running instance knows about a support code.
 *
 * @param steps prints the steps of a refused response, and returns the exit code
 */
record CodeExplanation(PrintWriter out, ToIntFunction<List<StepExplanation>> steps) {
    /** Prints the newest ceremony with this code, and returns the exit code. */
    int print(String code, RunningInstance instance) throws IOException, MalformedException {
        List<JsonObject> found = instance.find(code);
        JsonObject newest = found.get(0);
        out.println(summary(newest));
        for (JsonObject earlier : found.subList(1, found.size())) {
            out.println("Earlier with this code: " + earlier.text("traceId"));
        }
        JsonObject cause = newest.optionalObject("cause");
        if (cause == null) {
            return 0;
        }
        boolean kept = Boolean.TRUE.equals(newest.optionalBool("kept"));
        out.println(cause.text("what") + ' ' + cause.text("advice"));
        if (!kept) { // or else the step has them
            line("expected: ", cause.text("expected"));
            line("found:    ", cause.text("found"));
            line("settings: ", String.join(", ", cause.texts("settings")));
        }
        for (JsonObject fact : newest.objects("facts")) {
            line(fact.text("name").replace('_', ' ') + ": ", fact(fact));
        }
        return kept ? steps.applyAsInt(instance.explain(newest.text("traceId"))) : Cli.FAILED;
    }

    private static String summary(JsonObject ceremony) throws MalformedException {
        String what = switch (ceremony.text("ceremony")) {
            case "login" -> "A sign-in";
            case "registration" -> "A new passkey";
            case "account" -> "A change on the account page";
            case "enrollment" -> "An enrollment link";
            default -> "A request of an application";
        };
        String user = ceremony.text("user");
        JsonObject cause = ceremony.optionalObject("cause");
        List<JsonObject> events = ceremony.objects("events");
        return what + (user.isEmpty() ? "" : " of " + user) + ", " + ceremony.text("state") + " at "
                + Instant.ofEpochMilli(ceremony.integer("at"))
                + (cause == null ? "" : ": " + cause.text("code"))
                + "; correlation id "
                + events.get(events.size() - 1).text("correlationId");
    }

    private static String fact(JsonObject fact) throws MalformedException {
        if (fact.integer("at") == 0) {
            return fact.text("text");
        }
        String by = fact.text("by");
        return Instant.ofEpochMilli(fact.integer("at")) + (by.isEmpty() ? "" : " by " + by);
    }

    private void line(String name, String text) {
        if (!text.isEmpty()) {
            out.println("  " + name + text);
        }
    }
}
