// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.testkit.postgres.PostgresMissingException;
import dev.porchlight.testkit.redis.RedisMissingException;
import java.io.PrintStream;

/** Runs scenarios, each on its own test bed. */
public final class Runner {
    private final boolean shortened;
    private final boolean complete;
    private final PrintStream out;

    /** Prints why a scenario failed or was skipped. With {@code CI=true} none may be skipped. */
    public Runner(boolean shortened, PrintStream out) {
        this(shortened, "true".equals(System.getenv("CI")), out);
    }

    Runner(boolean shortened, boolean complete, PrintStream out) {
        this.shortened = shortened;
        this.complete = complete;
        this.out = out;
    }

    /** Runs a scenario. One whose programs are missing is skipped, or fails where none may be skipped. */
    public Verdict run(Scenario scenario) {
        Findings findings = new Findings();
        try (TestBed bed = new TestBed(shortened)) {
            scenario.experiment().run(bed, findings);
            if (bed.leaked()) {
                findings.expect(false, "the secret is in a log");
            }
            if (findings.verdict().kind() == Verdict.Kind.FAILED) {
                out.println("Logs of " + scenario.id() + ": " + bed.keep());
            }
        } catch (MissingProgramException | PostgresMissingException | RedisMissingException e) {
            out.println("Skipped: " + scenario.id() + ": " + e.getMessage());
            return new Verdict(complete ? Verdict.Kind.FAILED : Verdict.Kind.SKIPPED, "not run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            findings.expect(false, "interrupted");
        } catch (Exception e) {
            e.printStackTrace(out);
            findings.expect(false, "broken off by %s", firstLine(e));
        }
        return findings.verdict();
    }

    private static String firstLine(Exception e) {
        return e.toString().lines().findFirst().orElse("").replace("|", "/");
    }
}
