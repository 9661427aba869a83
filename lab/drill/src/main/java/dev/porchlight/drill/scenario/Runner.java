// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.drill.scenario.Scenario.ScenarioResult;
import dev.porchlight.testkit.server.MissingProgramException;
import java.io.IOException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Runs scenarios, each on a separate test bed; in short mode they share services. Thread-safe. */
public final class Runner implements AutoCloseable {
    private final @Nullable TestBed shared;
    private final boolean complete;
    private final PrintStream out;

    /** Prints why a scenario failed or was skipped. With {@code CI=true} no scenario may be skipped. */
    public Runner(boolean shortened, PrintStream out) throws IOException {
        this(shortened, "true".equals(System.getenv("CI")), out);
    }

    Runner(boolean shortened, boolean complete, PrintStream out) throws IOException {
        shared = shortened ? new TestBed(true) : null;
        this.complete = complete;
        this.out = out;
    }

    /** Runs a scenario. If its programs are missing, it is skipped, or fails where skipping is not allowed. */
    public ScenarioResult run(Scenario scenario) {
        try (TestBed bed = shared == null ? new TestBed(false) : new TestBed(shared)) {
            return run(scenario, bed);
        } catch (IOException e) {
            e.printStackTrace(out);
            return new ScenarioResult(ScenarioResult.Kind.FAILED, "aborted by " + firstLine(e));
        }
    }

    private ScenarioResult run(Scenario scenario, TestBed bed) throws IOException {
        try {
            scenario.experiment().run(bed);
            if (bed.leaked() || shared != null && shared.leaked()) {
                bed.expect(false, "the secret is in a log");
            }
        } catch (MissingProgramException e) {
            out.println("Skipped: " + scenario.id() + ": " + e.getMessage());
            return new ScenarioResult(
                    complete ? ScenarioResult.Kind.FAILED : ScenarioResult.Kind.SKIPPED, "not run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            bed.expect(false, "interrupted");
        } catch (Exception | AssertionError e) {
            e.printStackTrace(out);
            bed.expect(false, "aborted by %s", firstLine(e));
        }
        ScenarioResult result = bed.result();
        if (result.kind() == ScenarioResult.Kind.FAILED) {
            out.println("Logs of " + scenario.id() + ": " + bed.keep());
            if (shared != null) {
                out.println("Logs of shared instances: " + shared.keep());
            }
        }
        return result;
    }

    /** Stops the shared services. */
    @Override
    public void close() throws IOException {
        if (shared != null) {
            shared.close();
        }
    }

    private static String firstLine(Throwable e) {
        return e.toString().lines().findFirst().orElse("").replace("|", "/");
    }
}
