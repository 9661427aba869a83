// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

/** The promises that the service keeps under any fault. */
public enum Promise {
    P1("Acknowledged writes are durable", ""),
    P2(
            "A challenge, code or refresh token works at most once, on all instances together, whatever the outcome",
            "`ManyAtOnceTest`"),
    P3("Requests that cannot be verified are refused", "`StorageGoneTest`"),
    P4("Every request gets a response within its deadline, and memory is bounded", ""),
    P5("The service recovers by itself within 10 s after a dependency is back", ""),
    P6("Restarts and upgrades lose nothing", "`ServiceProcessTest`"),
    P7("A sign-in does not reveal whether a user exists", "`EnumerationTest`, `MutationsOverHttpTest`"),
    P8("Invalid input gets a 4xx problem, never a server error", "`RefusalsTest`, `MutationsOverHttpTest`"),
    P9("Clock jumps and clock skew are tolerated", "`ChallengeLifeTest`"),
    P10(
            "No secret appears in any output",
            "`PlantedSecretsTest`, and every row: afterwards no log may contain the secret"),
    P11("No client can block another user's sign-in", "`RateLimitBudgetTest`");

    private final String text;
    private final String tests;

    Promise(String text, String tests) {
        this.text = text;
        this.tests = tests;
    }

    public String text() {
        return text;
    }

    /** Additional tests of the promise, in Markdown; empty if the rows are all. */
    public String tests() {
        return tests;
    }
}
