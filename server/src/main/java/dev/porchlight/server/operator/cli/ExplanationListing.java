// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.DisplayText;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonTree;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.operator.explain.Explainer.Explanation;
import dev.porchlight.server.operator.explain.StepExplanation;
import dev.porchlight.server.web.PasskeyNames;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The explanation of a support code or of a captured response.
 *
 * @param refused whether a step refuses the captured response
 */
record ExplanationListing(Listing listing, boolean refused) {
    private static final String DEVICE_LINK = "device_link_issued";
    private static final String RECOVERY_CODE = "recovery_code_used";

    /** Events that users cause themselves, unless an operator is named. */
    private static final Set<String> BY_USER = Set.of(
            "passkey_removed", "enrollment_used", "enrollment_ended", "registration", DEVICE_LINK, RECOVERY_CODE);

    /** Explains a captured response. */
    static ExplanationListing of(Explanation explanation) throws MalformedException {
        Map<String, Object> members = JsonTree.parse(JsonWriter.object(json -> explanation.write(json, "en")));
        JsonObject steps = JsonObject.of(members);
        var explained = new ExplanationListing(Listing.of(members), steps.integer("refused") > 0);
        explained.describe(steps, "");
        return explained;
    }

    /** Shows the newest ceremony with this support code that a running instance finds, with every step of a refused response. */
    static ExplanationListing of(String code, RunningInstance instance) throws IOException, MalformedException {
        Map<String, Object> found = instance.find(code);
        List<JsonObject> ceremonies = JsonObject.of(found).objects("ceremonies");
        JsonObject newest = ceremonies.get(0);
        JsonObject cause = newest.optionalObject("cause");
        var explained = new ExplanationListing(Listing.of(found), false);
        explained.note(summary(newest));
        if (!Boolean.TRUE.equals(JsonObject.of(found).optionalBool("complete"))) {
            explained.note("The database did not respond, so this may be incomplete. Try again when it responds.");
        }
        for (JsonObject earlier : ceremonies.subList(1, ceremonies.size())) {
            explained.note("Earlier with this code: " + earlier.text("traceId"));
        }
        if (cause != null) {
            boolean kept = Boolean.TRUE.equals(newest.optionalBool("kept"));
            explained.describe(cause, kept);
            explained.line("  browser:  ", browser(newest.objects("events")));
            for (JsonObject fact : newest.objects("facts")) {
                explained.line("  " + fact.text("name").replace('_', ' ') + ": ", text(fact));
            }
            if (kept) {
                Map<String, Object> steps = instance.explain(newest.text("traceId"));
                found.put("explanation", steps);
                JsonObject explanation = JsonObject.of(steps);
                explained.describe(explanation, explanation.object("refusal").text("step"));
            }
        } else if (newest.text("state").equals("pending")) {
            explained.note("No response has arrived. The passkey window may be open, or the user left the page.");
        }
        return explained;
    }

    private static String summary(JsonObject ceremony) throws MalformedException {
        List<JsonObject> events = ceremony.objects("events");
        String client = last(events, "client");
        String what = switch (ceremony.text("ceremony")) {
            case "login" -> "A sign-in";
            case "registration" -> "A new passkey";
            case "account" -> "A change on the account page";
            case "enrollment" ->
                has(ceremony, DEVICE_LINK)
                        ? "A link for another device"
                        : has(ceremony, RECOVERY_CODE) ? "A recovery code" : "An enrollment link";
            case "recovery" -> "A recovery code";
            default -> client.isEmpty() ? "A request of an application" : "A request of the application " + client;
        };
        String user = ceremony.text("user");
        JsonObject cause = ceremony.optionalObject("cause");
        boolean unverified = cause != null
                && (ceremony.text("state").equals("pending")
                        || cause.text("code").equals("wrong_address"));
        return what + (user.isEmpty() ? "" : " of " + user) + ", "
                + (unverified ? "reported by the browser" : ceremony.text("state")) + " at "
                + Instant.ofEpochMilli(ceremony.integer("at"))
                + (cause == null ? "" : ": " + cause.text("code"))
                + "; "
                + request(ceremony);
    }

    private static boolean has(JsonObject ceremony, String name) throws MalformedException {
        for (JsonObject fact : ceremony.objects("facts")) {
            if (fact.text("name").equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Returns what finds the failure in the log: the failed request, or the trace, as a browser reports in another request. */
    private static String request(JsonObject ceremony) throws MalformedException {
        String id = "";
        for (JsonObject event : ceremony.objects("events")) {
            if (event.text("side").equals("server") && !event.text("outcome").equals("ok")) {
                id = event.text("correlationId");
            }
        }
        return id.isEmpty() ? "trace id " + ceremony.text("traceId") : "correlation id " + id;
    }

    private static String browser(List<JsonObject> events) throws MalformedException {
        String userAgent = last(events, "browser");
        return userAgent.isEmpty() ? "" : new PasskeyNames().browserOf(userAgent);
    }

    private static String last(List<JsonObject> events, String name) throws MalformedException {
        String last = "";
        for (JsonObject event : events) {
            String text = event.optionalText(name);
            last = text == null ? last : text;
        }
        return last;
    }

    private void describe(JsonObject cause, boolean kept) throws MalformedException {
        note(cause.text("what") + ' ' + cause.text("advice"));
        if (!kept) { // or else the step has them
            line("  expected: ", cause.text("expected"));
            line("  found:    ", cause.text("found"));
            line("  settings: ", String.join(", ", cause.texts("settings")));
        }
    }

    private static String text(JsonObject fact) throws MalformedException {
        if (fact.integer("at") == 0) {
            return fact.text("text");
        }
        String by = fact.text("by");
        String of = fact.text("text");
        boolean ended = fact.text("name").equals("enrollment_ended");
        return (of.isEmpty() ? "" : (ended ? of.replace('_', ' ') : of) + ", ")
                + Instant.ofEpochMilli(fact.integer("at"))
                + (by.isEmpty() ? BY_USER.contains(fact.text("name")) ? " by the user" : "" : " by " + by);
    }

    /** Describes each step; {@code known} is the code of the one whose cause is described already. */
    private void describe(JsonObject explanation, String known) throws MalformedException {
        for (JsonObject step : explanation.objects("steps")) {
            describe(StepExplanation.read(step), known);
        }
        long refused = explanation.integer("refused");
        note(
                refused == 0
                        ? "No step refuses it."
                        : refused == 1 ? "One step refuses it." : refused + " steps refuse it.");
    }

    private void describe(StepExplanation explained, String known) {
        String step = explained.step().label();
        switch (explained.state()) {
            case PASSED ->
                note("  passed       " + step + (explained.found().isEmpty() ? "" : ": " + explained.found()));
            case NOT_CHECKED -> note("  not checked  " + step + ": " + explained.detail());
            case NOT_REACHED -> note("  not reached  " + step);
            case REFUSED -> {
                Cause cause = Objects.requireNonNull(explained.cause());
                String indent = " ".repeat(15);
                note("  REFUSED      " + explained.step().code() + ": " + cause.what());
                line(indent + "expected: ", explained.expected());
                line(indent + "found:    ", explained.found());
                line(indent, explained.detail());
                line(indent, explained.step().code().equals(known) ? "" : cause.advice());
                line(indent + "settings: ", String.join(", ", cause.settings()));
            }
        }
    }

    /** Adds a line. Strangers choose parts of it, which must not control the terminal. */
    private void note(String line) {
        listing.note(DisplayText.visible(line));
    }

    private void line(String name, String text) {
        if (!text.isEmpty()) {
            note(name + text);
        }
    }
}
