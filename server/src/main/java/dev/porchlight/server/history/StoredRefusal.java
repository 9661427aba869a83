// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.server.history.Capture.Refusal;
import dev.porchlight.server.history.CeremonyEvent.BrowserReport;
import dev.porchlight.server.history.CeremonyEvent.ClientRefusal;
import dev.porchlight.server.history.CeremonyEvent.ServerOperation;
import dev.porchlight.server.history.RefusedResponses.RefusedResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A refused ceremony as one instance knows it, and its JSON. Immutable.
 *
 * @param response the refused response, if it was kept
 */
record StoredRefusal(Ceremony ceremony, @Nullable RefusedResponse response) {

    String write() {
        return JsonWriter.object(json -> {
            json.text("traceId", ceremony.traceId()).objects("events", ceremony.events(), StoredRefusal::write);
            if (response != null) {
                json.text("response", response.capture().response()).text("responseTo", response.correlationId());
            }
        });
    }

    /** Reads what an instance wrote; null if it cannot be read, because another release wrote it. */
    static @Nullable StoredRefusal read(String text) {
        try {
            JsonObject json = JsonObject.parse(text, "refusal");
            List<CeremonyEvent> events = new ArrayList<>();
            for (JsonObject event : json.objects("events")) {
                events.add(event(event));
            }
            Ceremony ceremony = new Ceremony(json.text("traceId"), events);
            String response = json.optionalText("response");
            return new StoredRefusal(
                    ceremony, response == null ? null : response(ceremony, response, json.text("responseTo")));
        } catch (MalformedException | IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable RefusedResponse response(Ceremony ceremony, String response, String correlationId) {
        for (CeremonyEvent event : ceremony.events()) {
            if (event instanceof ServerOperation operation
                    && operation.correlationId().equals(correlationId)
                    && !operation.steps().isEmpty()) {
                var refusal = new Refusal(
                        operation.operation() == Operation.FINISH_REGISTRATION,
                        Instant.ofEpochMilli(operation.at()),
                        operation.steps());
                String user = operation.user().isEmpty() ? null : operation.user();
                return new RefusedResponse(
                        ceremony.traceId(), correlationId, new Capture(response, null, user, refusal));
            }
        }
        return null; // the event was dropped, because the ceremony has too many
    }

    private static void write(JsonWriter json, CeremonyEvent event) {
        if (event instanceof ServerOperation operation) {
            json.text("operation", operation.operation().name())
                    .number("nanos", operation.nanos())
                    .text("outcome", operation.outcome())
                    .text("reason", operation.reason())
                    .text("detail", operation.detail())
                    .text("user", operation.user())
                    .text("credential", operation.credential())
                    .bool("claimed", operation.claimed())
                    .objects(
                            "steps",
                            operation.steps(),
                            (step, result) -> step.text("step", result.step().code())
                                    .bool("passed", result.passed())
                                    .text("expected", result.expected())
                                    .text("found", result.found())
                                    .number("nanos", result.nanos()));
        } else if (event instanceof ClientRefusal refusal) {
            json.text("endpoint", refusal.endpoint())
                    .text("client", refusal.client())
                    .text("reason", refusal.reason())
                    .text("sentence", refusal.sentence())
                    .text("parameter", refusal.parameter())
                    .text("expected", refusal.expected())
                    .text("found", refusal.found())
                    .text("user", refusal.user())
                    .bool("claimed", refusal.claimed());
        } else if (event instanceof BrowserReport report) {
            json.text("ceremony", report.ceremony())
                    .text("outcome", report.outcome().code())
                    .number("elapsedMs", report.elapsedMs())
                    .text("error", report.error())
                    .text("origin", report.origin())
                    .text("rpId", report.rpId())
                    .bool("verified", report.verified());
        }
        json.number("at", event.at()).text("correlationId", event.correlationId());
    }

    private static CeremonyEvent event(JsonObject json) throws MalformedException {
        return json.isText("operation") ? operation(json) : json.isText("endpoint") ? refusal(json) : report(json);
    }

    private static ServerOperation operation(JsonObject json) throws MalformedException {
        List<StepResult> steps = new ArrayList<>();
        for (JsonObject step : json.objects("steps")) {
            steps.add(new StepResult(
                    step(step.text("step")),
                    flag(step, "passed"),
                    step.text("expected"),
                    step.text("found"),
                    number(step, "nanos")));
        }
        return new ServerOperation(
                Operation.valueOf(json.text("operation")),
                number(json, "at"),
                number(json, "nanos"),
                json.text("outcome"),
                json.text("reason"),
                json.text("detail"),
                json.text("correlationId"),
                json.text("user"),
                json.text("credential"),
                steps,
                flag(json, "claimed"));
    }

    private static ClientRefusal refusal(JsonObject json) throws MalformedException {
        return new ClientRefusal(
                json.text("endpoint"),
                json.text("client"),
                json.text("reason"),
                json.text("sentence"),
                json.text("parameter"),
                json.text("expected"),
                json.text("found"),
                number(json, "at"),
                json.text("correlationId"),
                json.text("user"),
                flag(json, "claimed"));
    }

    private static BrowserReport report(JsonObject json) throws MalformedException {
        BrowserOutcome outcome = BrowserOutcome.of(json.text("outcome"));
        if (outcome == null) {
            throw json.malformed("outcome", "is unknown");
        }
        return new BrowserReport(
                json.text("ceremony"),
                outcome,
                number(json, "at"),
                number(json, "elapsedMs"),
                json.text("error"),
                json.text("origin"),
                json.text("rpId"),
                json.text("correlationId"),
                flag(json, "verified"));
    }

    private static Step step(String code) {
        return Stream.of(Step.values())
                .filter(step -> step.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown step"));
    }

    private static long number(JsonObject json, String name) throws MalformedException {
        return Objects.requireNonNullElse(json.optionalInteger(name), 0L);
    }

    private static boolean flag(JsonObject json, String name) throws MalformedException {
        return Boolean.TRUE.equals(json.optionalBool(name));
    }
}
