// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.util.Optional;

/** Reads what is shown in TLS handshakes, if anything. */
final class TlsReader {
    private TlsReader() {}

    static Optional<TlsFiles> read(Environment env) {
        String certificates = env.checked(Variable.TLS_CERTIFICATE, "", PemFiles::certificates);
        String key = env.checked(Variable.TLS_KEY, "", PemFiles::key);
        boolean certificatesGiven = env.text(Variable.TLS_CERTIFICATE) != null;
        boolean keyGiven = env.text(Variable.TLS_KEY) != null;
        if (certificatesGiven && !keyGiven) {
            env.fault(Variable.TLS_KEY, "is missing", "TLS_CERTIFICATE needs its private key");
        } else if (keyGiven && !certificatesGiven) {
            env.fault(Variable.TLS_CERTIFICATE, "is missing", "TLS_KEY needs its certificate");
        }
        if (certificates.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(TlsFiles.read(certificates, key));
        } catch (IllegalArgumentException e) {
            env.fault(Variable.TLS_KEY, "is wrong", String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}
