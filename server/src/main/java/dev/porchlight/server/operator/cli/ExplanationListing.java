// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.DisplayText;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.operator.explain.Explainer.Explanation;
import dev.porchlight.server.operator.explain.StepExplanation;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The explanation of a support code or of a captured response.
 *
 * @param failed whether something failed
 */
record ExplanationListing(Listing listing, boolean failed) {
    /** Explains a captured response. */
    static ExplanationListing of(Explanation explanation) {
        var explained =
                new ExplanationListing(Listing.of(json -> explanation.write(json, "en")), explanation.refused() > 0);
        explained.describe(explanation.steps());
        return explained;
    }

    /** Shows the newest ceremony with this support code that a running instance finds, with every step of a refused response. */
    static ExplanationListing of(String code, RunningInstance instance) throws IOException, MalformedException {
        Map<String, Object> found = instance.find(code);
        List<JsonObject> ceremonies = JsonObject.of(found).objects("ceremonies");
        JsonObject newest = ceremonies.get(0);
        JsonObject cause = newest.optionalObject("cause");
        var explained = new ExplanationListing(Listing.of(found), cause != null);
        explained.note(summary(newest));
        for (JsonObject earlier : ceremonies.subList(1, ceremonies.size())) {
            explained.note("Earlier with this code: " + earlier.text("traceId"));
        }
        if (cause != null) {
            boolean kept = Boolean.TRUE.equals(newest.optionalBool("kept"));
            explained.describe(cause, newest.objects("facts"), kept);
            if (kept) {
                Map<String, Object> steps = instance.explain(newest.text("traceId"));
                found.put("explanation", steps);
                explained.describe(read(JsonObject.of(steps).objects("steps")));
            }
        } else if (newest.text("state").equals("pending")) {
            explained.note("No response has arrived. The passkey window may be open, or the user left the page.");
        }
        return explained;
    }

    private static List<StepExplanation> read(List<JsonObject> steps) throws MalformedException {
        List<StepExplanation> read = new ArrayList<>();
        for (JsonObject step : steps) {
            read.add(StepExplanation.read(step));
        }
        return read;
    }

    private static String summary(JsonObject ceremony) throws MalformedException {
        List<JsonObject> events = ceremony.objects("events");
        String what = switch (ceremony.text("ceremony")) {
            case "login" -> "A sign-in";
            case "registration" -> "A new passkey";
            case "account" -> "A change on the account page";
            case "enrollment" -> "An enrollment link";
            default -> "A request of the application " + client(events);
        };
        String user = ceremony.text("user");
        JsonObject cause = ceremony.optionalObject("cause");
        boolean unverified = cause != null && ceremony.text("state").equals("pending");
        return what + (user.isEmpty() ? "" : " of " + user) + ", "
                + (unverified ? "reported by the browser" : ceremony.text("state")) + " at "
                + Instant.ofEpochMilli(ceremony.integer("at"))
                + (cause == null ? "" : ": " + cause.text("code"))
                + "; correlation id "
                + events.get(events.size() - 1).text("correlationId");
    }

    private static String client(List<JsonObject> events) throws MalformedException {
        String client = "";
        for (JsonObject event : events) {
            String named = event.optionalText("client");
            client = named == null ? client : named;
        }
        return client;
    }

    private void describe(JsonObject cause, List<JsonObject> facts, boolean kept) throws MalformedException {
        note(cause.text("what") + ' ' + cause.text("advice"));
        if (!kept) { // or else the step has them
            line("  expected: ", cause.text("expected"));
            line("  found:    ", cause.text("found"));
            line("  settings: ", String.join(", ", cause.texts("settings")));
        }
        for (JsonObject fact : facts) {
            line("  " + fact.text("name").replace('_', ' ') + ": ", text(fact));
        }
    }

    private static String text(JsonObject fact) throws MalformedException {
        if (fact.integer("at") == 0) {
            return fact.text("text");
        }
        String by = fact.text("by");
        return Instant.ofEpochMilli(fact.integer("at")) + (by.isEmpty() ? "" : " by " + by);
    }

    private void describe(List<StepExplanation> steps) {
        steps.forEach(this::describe);
        long refused = steps.stream()
                .filter(step -> step.state() == StepExplanation.State.REFUSED)
                .count();
        note(
                refused == 0
                        ? "No step refuses it."
                        : refused == 1 ? "One step refuses it." : refused + " steps refuse it.");
    }

    private void describe(StepExplanation explained) {
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
                line(indent, cause.advice());
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
