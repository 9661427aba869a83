// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import dev.porchlight.observe.log.Logger;
import dev.porchlight.passkey.PasskeyService;
import java.util.List;

/** Removes what has expired and refreshes decoys. A failure is logged, and the next run retries. */
public final class Housekeeping {
    private final Logger logger;
    private final PasskeyService passkeys;
    private final List<Runnable> removals;

    public Housekeeping(Logger logger, PasskeyService passkeys, List<Runnable> removals) {
        this.logger = logger;
        this.passkeys = passkeys;
        this.removals = removals;
    }

    public void removeExpired() {
        attempt("expired entries could not be removed; the next sweep retries", () -> removals.forEach(Runnable::run));
    }

    public void refreshDecoys() {
        attempt("decoys could not be refreshed; the next sweep retries", passkeys::refreshDecoys);
    }

    private void attempt(String failure, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            logger.warn(failure, e);
        }
    }
}
