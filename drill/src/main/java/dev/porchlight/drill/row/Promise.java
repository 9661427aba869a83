// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.row;

/** What the service promises, whatever breaks around it. */
public enum Promise {
    P1("What was acknowledged is durable."),
    P2("A challenge works at most once, on all instances together, whatever the outcome."),
    P3("What cannot be checked is refused."),
    P4("Every request is answered within its deadline, and memory is bounded."),
    P5("The service heals by itself within 10 s after what it depends on is back."),
    P6("Restarts and upgrades lose nothing."),
    P7("Nobody learns who has an account."),
    P8("Bad input is answered with a 4xx problem, never with an error of the server's."),
    P9("Clocks may jump and differ."),
    P10("No secret is in any output.");

    private final String text;

    Promise(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
