// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.tls;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.config.TlsFiles;
import java.security.KeyStore;
import java.util.function.Consumer;

/**
 * Loads a renewed certificate while the service runs. Unusable files are ignored, because key and certificate are not written
 * at the same moment. Thread-safe.
 */
public final class TlsRenewal {
    private final Consumer<KeyStore> use;
    private final Logger logger;
    private TlsFiles current;
    private String lastFailure = "";

    /** Checks these files; {@code use} presents another certificate to new connections. */
    public TlsRenewal(TlsFiles files, Consumer<KeyStore> use, Logger logger) {
        this.current = files;
        this.use = use;
        this.logger = logger;
    }

    public synchronized void check() {
        try {
            TlsFiles now = current.reread();
            if (now != current) {
                use.accept(now.identity());
                current = now;
                logger.info("the TLS certificate was renewed");
            }
            lastFailure = "";
        } catch (RuntimeException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(lastFailure)) { // log it once
                lastFailure = reason;
                logger.warn(
                        "the TLS certificate changed but cannot be used; keeping the previous one",
                        Fields.of("why", reason));
            }
        }
    }
}
