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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** The user of a request, as far as it says so. Empty members are unknown. */
    private record Who(String user, String userHandle) {
        private static final Who UNKNOWN = new Who("", "");

        private static Who of(@Nullable String user, @Nullable String userHandle) {
            return new Who(Objects.requireNonNullElse(user, ""), Objects.requireNonNullElse(userHandle, ""));
        }
    }

    private static final Cause BY_APPLICATION = new Cause(
            "sign_in_refused",
            "The passkey was verified, and then the application refused the sign-in.",
            "Look at what was found: it is the cause that your PasskeySignIn bean or Spring Security gave.",
            List.of());

    /**
     * The library refused a ceremony.
     *
     * @param userHandle what the passkey presented, if anything
     */
    void refused(ServerRequest request, String ceremony, @Nullable Outcome outcome, @Nullable String userHandle) {
        StepResult step = outcome == null ? null : outcome.refusal();
        if (outcome != null && step != null) {
            Cause cause = cause("step", step.step().code());
            var who = Who.of(outcome.userId(), userHandle);
            write(request, Level.WARN, ceremony, who, cause, step.expected(), step.found());
        }
    }

    /** The application refused a user whose passkey was verified. */
    void refusedByApplication(ServerRequest request, String userId, String reason) {
        write(request, Level.WARN, "login", Who.of(userId, null), BY_APPLICATION, "", reason);
    }

    /**
     * A browser reports how a ceremony ended. Clients can invent reports, so that only known outcomes are logged, and they add
     * nothing to a refusal by this application.
     *
     * @param typed the user name that was typed, if any
     */
    void reported(ServerRequest request, @Nullable String ceremony, @Nullable String outcome, @Nullable String typed) {
        boolean known = ceremony != null && KINDS.contains(ceremony);
        if (ceremony == null || !known || outcome == null || NOT_LOGGED.contains(outcome)) {
            return;
        }
        Cause own = Cause.find(ceremony, outcome);
        Cause cause = own == null ? Cause.find("browser", outcome) : own;
        if (cause != null && !isExplained(request)) {
            write(request, Level.INFO, ceremony, Who.of(typed, null), cause, "", "");
        }
    }

    /**
     * A page of this application at an address that is not configured sent a request.
     *
     * @param reported the ceremony, if the page reports how it ended
     */
    void wrongAddress(ServerRequest request, @Nullable String reported, String expected, String found) {
        if (reported == null || !isExplained(request)) {
            String operation = reported != null && KINDS.contains(reported) ? reported : request.path();
            write(request, Level.INFO, operation, Who.UNKNOWN, cause("user", "wrong_address"), expected, found);
        }
        request.attributes().put(LOGGED, true);
    }

    /** A request ended with a problem, unless it was logged as a refusal. */
    void failed(ServerRequest request, Cause cause) {
        if (request.attributes().get(LOGGED) == null) {
            write(request, Level.INFO, request.path(), Who.UNKNOWN, cause, "", "");
        }
    }

    private boolean isExplained(ServerRequest request) {
        String code = supportCode(request);
        return recent != null
                && !code.isEmpty()
                && recent.find(code).stream()
                        .anyMatch(earlier -> !WAITING.equals(earlier.cause().code()));
    }

    private void write(
            ServerRequest request, Level level, String operation, Who who, Cause cause, String expected, String found) {
        request.attributes().put(LOGGED, true);
        Refusal refusal = new Refusal(
                System.currentTimeMillis(),
                supportCode(request),
                PasskeyEndpoint.correlationId(request),
                cut(operation),
                cut(who.user()),
                cut(who.userHandle()),
                cause,
                cut(expected),
                cut(found));
        String values = Stream.of(
                        value("expected", quoted(refusal.expected())),
                        value("found", quoted(refusal.found())),
                        value("supportCode", refusal.supportCode()),
                        value("correlationId", refusal.correlationId()))
                .filter(value -> !value.isEmpty())
                .collect(Collectors.joining(", "));
        LOG.atLevel(level)
                .log("passkey {} refused: {}: {} {}", refusal.operation(), cause.code(), cause.what(), values);
        if (recent != null) {
            recent.add(String.valueOf(request.servletRequest().getRemoteAddr()), refusal);
        }
    }

    private static Cause cause(String source, String code) {
        return Objects.requireNonNull(Cause.find(source, code));
    }

    /** Returns the code that the browser computes from the trace id of its requests, or an empty string. */
    private static String supportCode(ServerRequest request) {
        String trace = request.servletRequest().getHeader(TRACE_HEADER);
        Matcher matcher = TRACE.matcher(trace == null ? "" : trace);
        return matcher.matches() ? SupportCode.of(matcher.group(1)) : "";
    }

    private static String value(String name, String value) {
        return value.isEmpty() ? "" : name + '=' + value;
    }

    /** An application's words may contain line breaks, which would forge log lines. */
    private static String quoted(String text) {
        return text.isEmpty() ? "" : '"' + text.replaceAll("\\p{Cntrl}", " ") + '"';
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), MAX_TEXT));
    }
}
