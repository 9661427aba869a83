// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.security.KeyStore;
import java.util.List;

/** The files that hold what is shown in TLS handshakes, as they were when they were read. Immutable. */
public final class TlsFiles {
    private final String certificates;
    private final String key;
    private final List<String> contents;
    private final KeyStore identity;

    private TlsFiles(String certificates, String key, List<String> contents) {
        this.certificates = certificates;
        this.key = key;
        this.contents = contents;
        this.identity = PemFiles.identity(PemFiles.certificates(certificates), PemFiles.key(key));
    }

    /** Reads both files; refused with an {@link IllegalArgumentException} that says what would be right. */
    static TlsFiles read(String certificates, String key) {
        return new TlsFiles(certificates, key, contents(certificates, key));
    }

    /**
     * These files as they are now: the same object if nothing changed.
     *
     * @throws IllegalArgumentException if they changed and cannot be used, with what would be right
     */
    public TlsFiles reread() {
        List<String> now = contents(certificates, key);
        return now.equals(contents) ? this : new TlsFiles(certificates, key, now);
    }

    /** A store with the private key and its certificates, under the name {@code server}. */
    public KeyStore identity() {
        return identity;
    }

    private static List<String> contents(String certificates, String key) {
        return List.of(PemFiles.text(certificates), PemFiles.text(key));
    }
}
