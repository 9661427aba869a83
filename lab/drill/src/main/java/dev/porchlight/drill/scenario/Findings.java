// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The measurements of a row, in order. Thread-safe. */
public final class Findings {
    private final List<String> texts = new ArrayList<>();
    private boolean failed;

    /** Records a measurement. */
    public synchronized void note(String format, Object... arguments) {
        texts.add(String.format(Locale.ROOT, format, arguments));
    }

    /** Records a measurement, and fails the row if the condition does not hold. */
    public synchronized void expect(boolean holds, String format, Object... arguments) {
        String text = String.format(Locale.ROOT, format, arguments);
        texts.add(holds ? text : "**" + text + "**");
        failed |= !holds;
    }

    public synchronized ScenarioResult result() {
        return new ScenarioResult(
                failed ? ScenarioResult.Kind.FAILED : ScenarioResult.Kind.PASSED, String.join("; ", texts));
    }
}
