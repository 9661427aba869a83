// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

class FailureReportTest {
    private static final String INNER = "porchlight.failing";

    /** Tests that fail on purpose, if they are run by the test below. */
    @EnabledIfSystemProperty(named = INNER, matches = "true", disabledReason = "fails on purpose")
    static class Failing {
        @Test
        void plain() {
            leave("plain");
        }

        @TestFactory
        Stream<DynamicTest> dynamic() {
            return Stream.of(DynamicTest.dynamicTest("dynamic", () -> leave("dynamic")));
        }

        private static void leave(String name) {
            Object closed = "closed service";
            ServiceLogs.add(closed, () -> "the cause of " + name);
            ServiceLogs.close(closed);
            ServiceLogs.add(name, () -> "x\n".repeat(100) + "the cause of " + name + ", too");
            throw new AssertionError("expected 201 but was 503");
        }
    }

    @Test
    void a_failure_contains_the_logs_of_the_services() {
        var listener = new SummaryGeneratingListener();
        ServiceLogs.add(this, () -> "of another test");
        ServiceLogs.close(this);
        System.setProperty(INNER, "true");
        try {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(Failing.class))
                                    .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                                    .build(),
                            listener);
        } finally {
            System.clearProperty(INNER);
            List.of("plain", "dynamic").forEach(ServiceLogs::close);
        }

        List<Failure> failures = listener.getSummary().getFailures();
        assertThat(failures).hasSize(2).allSatisfy(failure -> {
            String name = failure.getTestIdentifier().getDisplayName().replace("()", "");
            assertThat(trace(failure.getException()))
                    .contains(
                            "expected 201 but was 503",
                            "the cause of " + name + "\n",
                            "the cause of " + name + ", too\n")
                    .contains(name + ", the last 60 of 101 lines")
                    .doesNotContain("of another test");
        });
    }

    @Test
    void waits_are_long_by_default() {
        AtomicLong left = new AtomicLong();
        Awaitility.await()
                .conditionEvaluationListener(condition -> left.set(condition.getRemainingTimeInMS()))
                .until(() -> true);

        assertThat(left.get())
                .as("Awaitility's own default is ten seconds")
                .isBetween(60_000L, Patience.LIMIT.toMillis());
        assertThat(Patience.MILLIS).isEqualTo(1_000 * Patience.SECONDS);
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
