// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.base.SupportCode;
import dev.porchlight.passkey.CeremonyListener.Outcome;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.spring.explain.Cause;
import dev.porchlight.spring.explain.RecentRefusals;
import dev.porchlight.spring.explain.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Writes one log line for each failed request, under the support code that the user was shown, and keeps it for the endpoint
 * that explains codes, if that is enabled. Thread-safe.
 *
 * @param recent null if the endpoint is off
 */
record RefusalLog(@Nullable RecentRefusals recent) {
    static final String TRACE_HEADER = "traceparent";
    private static final Logger LOG = LoggerFactory.getLogger("dev.porchlight.spring");
    private static final Pattern TRACE = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-.*");
    private static final String LOGGED = RefusalLog.class.getName() + ".logged";

    private static final Set<String> KINDS = Set.of("login", "registration", "account");

    /** Outcomes that are logged with the refused request, or that show no code. */
    private static final Set<String> NOT_LOGGED = Set.of("refused", "aborted");

    /** The report of a prompt without a result, which follows. */
    private static final String WAITING = "waiting";

    /** The words of an application are cut to this length. */
    private static final int MAX_TEXT = 500;

    private static final Cause BY_APPLICATION = new Cause(
            "sign_in_refused",
            "The passkey was verified, and then the application refused the sign-in.",
            "Look at what was found: it is the cause that your PasskeySignIn bean or Spring Security gave.",
            List.of());

    /** The library refused a ceremony. */
    void refused(ServerRequest request, String ceremony, @Nullable Outcome outcome) {
        StepResult step = outcome == null ? null : outcome.refusal();
        if (outcome != null && step != null) {
            Cause cause = Cause.find("step", step.step().code());
            write(
                    request,
                    Level.WARN,
                    ceremony,
                    outcome.userId(),
                    Objects.requireNonNull(cause),
                    step.expected(),
                    step.found());
        }
    }

    /** The application refused a user whose passkey was verified. */
    void refusedByApplication(ServerRequest request, String userId, String reason) {
        write(request, Level.WARN, "login", userId, BY_APPLICATION, "", reason);
    }

    /**
     * A browser reports how a ceremony ended. Clients can invent reports, so that only known outcomes are logged, and they add
     * nothing to a refusal by this application.
     */
    void reported(ServerRequest request, @Nullable String ceremony, @Nullable String outcome) {
        Cause cause = outcome == null || NOT_LOGGED.contains(outcome) ? null : Cause.find("browser", outcome);
        boolean known = ceremony != null && KINDS.contains(ceremony);
        boolean explained = recent != null
                && recent.find(supportCode(request)).stream()
                        .anyMatch(earlier -> !WAITING.equals(earlier.cause().code()));
        if (cause != null && ceremony != null && known && !explained) {
            write(request, Level.INFO, ceremony, null, cause, "", "");
        }
    }

    /** A request ended with a problem, unless it was logged as a refusal. */
    void failed(ServerRequest request, Cause cause) {
        if (request.attributes().get(LOGGED) == null) {
            write(request, Level.INFO, request.path(), null, cause, "", "");
        }
    }

    private void write(
            ServerRequest request,
            Level level,
            String operation,
            @Nullable String user,
            Cause cause,
            String expected,
            String found) {
        request.attributes().put(LOGGED, true);
        Refusal refusal = new Refusal(
                System.currentTimeMillis(),
                supportCode(request),
                PasskeyEndpoint.correlationId(request),
                cut(operation),
                user == null ? "" : user,
                cause,
                cut(expected),
                cut(found));
        LOG.atLevel(level)
                .log(
                        "passkey {} refused: {}: {} expected={}, found={}, supportCode={}, correlationId={}",
                        refusal.operation(),
                        cause.code(),
                        cause.what(),
                        quoted(refusal.expected()),
                        quoted(refusal.found()),
                        refusal.supportCode(),
                        refusal.correlationId());
        if (recent != null) {
            recent.add(String.valueOf(request.servletRequest().getRemoteAddr()), refusal);
        }
    }

    /** Returns the code that the browser computes from the trace id of its requests, or an empty string. */
    private static String supportCode(ServerRequest request) {
        String trace = request.servletRequest().getHeader(TRACE_HEADER);
        Matcher matcher = TRACE.matcher(trace == null ? "" : trace);
        return matcher.matches() ? SupportCode.of(matcher.group(1)) : "";
    }

    /** An application's words may contain line breaks, which would forge log lines. */
    private static String quoted(String text) {
        return '"' + text.replaceAll("\\p{Cntrl}", " ") + '"';
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), MAX_TEXT));
    }
}
