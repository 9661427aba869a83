// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.config.TlsFiles;
import java.security.KeyStore;
import java.util.function.Consumer;

/**
 * Loads a renewed certificate while the service runs. Files that cannot be used are ignored: key and certificate are not
 * written at the same moment. Thread-safe.
 */
final class TlsRenewal {
    private final Consumer<KeyStore> show;
    private final Logger logger;
    private TlsFiles current;
    private String complaint = "";

    /** Checks these files; {@code show} presents another certificate to new connections. */
    TlsRenewal(TlsFiles files, Consumer<KeyStore> show, Logger logger) {
        this.current = files;
        this.show = show;
        this.logger = logger;
    }

    synchronized void check() {
        try {
            TlsFiles now = current.reread();
            if (now != current) {
                show.accept(now.identity());
                current = now;
                logger.info("the TLS certificate was renewed");
            }
            complaint = "";
        } catch (RuntimeException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(complaint)) { // once, and not every minute
                complaint = why;
                logger.warn(
                        "the TLS certificate changed and cannot be used; the former one is kept",
                        Fields.of("why", why));
            }
        }
    }
}
