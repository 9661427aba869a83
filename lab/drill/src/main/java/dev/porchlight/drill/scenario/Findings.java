// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a row measures, in the order it finds out. Thread-safe. */
public final class Findings {
    private final List<String> texts = new ArrayList<>();
    private boolean failed;

    /** Writes down a figure. */
    public synchronized void note(String format, Object... arguments) {
        texts.add(String.format(Locale.ROOT, format, arguments));
    }

    /** Writes down a figure, and that the row failed if it is not as it must be. */
    public synchronized void expect(boolean asItMustBe, String format, Object... arguments) {
        String text = String.format(Locale.ROOT, format, arguments);
        texts.add(asItMustBe ? text : "**" + text + "**");
        failed |= !asItMustBe;
    }

    public synchronized Verdict verdict() {
        return new Verdict(failed ? Verdict.Kind.FAILED : Verdict.Kind.PASSED, String.join("; ", texts));
    }
}
