// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.DisplayText;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.observe.metrics.Counter;
import dev.porchlight.passkey.store.UnreadableRow;
import dev.porchlight.server.limit.OncePerSecond;
import java.util.function.Consumer;

/** Counts stored passkeys that were skipped, and logs at most one per second. Thread-safe. */
public final class UnreadableRows implements Consumer<UnreadableRow> {
    private final Logger logger;
    private final Pseudonyms pseudonyms;
    private final Counter skipped;
    private final OncePerSecond pace = new OncePerSecond();

    public UnreadableRows(Observability observe, Pseudonyms pseudonyms) {
        this.logger = observe.logger();
        this.pseudonyms = pseudonyms;
        skipped = observe.metrics()
                .counter("passkey_unreadable_rows_total")
                .help("Skipped rows of passkey_credential that cannot be read.")
                .register();
    }

    @Override
    public void accept(UnreadableRow row) {
        skipped.inc();
        long others = pace.pass("");
        if (others != OncePerSecond.HELD_BACK) {
            Fields fields = new Fields()
                    .put("user", pseudonyms.of(row.userId()))
                    .put("credential", DisplayText.prefix(row.credentialId()))
                    .put("fault", row.fault())
                    .put("notLogged", others);
            logger.error("skipped a stored passkey that cannot be read: correct or delete its row", fields);
        }
    }
}
