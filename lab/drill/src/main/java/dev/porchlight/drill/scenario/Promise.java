// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

/** What the service promises, whatever breaks around it. */
public enum Promise {
    P1("What was acknowledged is durable", ""),
    P2("A challenge works at most once, on all instances together, whatever the outcome", "`ManyAtOnceTest`"),
    P3("What cannot be checked is refused", "`StorageGoneTest`"),
    P4("Every request is answered within its deadline, and memory is bounded", ""),
    P5("The service heals by itself within 10 s after what it depends on is back", ""),
    P6("Restarts and upgrades lose nothing", "`ServiceProcessTest`"),
    P7("Nobody learns from a login who has an account", "`EnumerationTest`, `MutationsOverHttpTest`"),
    P8(
            "Bad input is answered with a 4xx problem, never with an error of the server's",
            "`RefusalsTest`, `MutationsOverHttpTest`"),
    P9("Clocks may jump and differ", "`ChallengeLifeTest`"),
    P10("No secret is in any output", "`PlantedSecretsTest`, and every row: after it no log may hold the secret"),
    P11("No stranger can stop another person's sign-in", "`RateLimitMatrixTest`");

    private final String text;
    private final String tests;

    Promise(String text, String tests) {
        this.text = text;
        this.tests = tests;
    }

    public String text() {
        return text;
    }

    /** What else shows it, in Markdown; empty where the rows alone do. */
    public String tests() {
        return tests;
    }
}
