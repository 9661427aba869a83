// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** WebAuthn ceremonies and their storage. */
@NullMarked
@SuppressWarnings("module") // the service is built later
module dev.porchlight.passkey {
    requires static org.jspecify;
    requires transitive dev.porchlight.base;
    requires java.net.http;
    requires transitive java.sql;

    exports dev.porchlight.passkey;
    exports dev.porchlight.passkey.metadata;
    exports dev.porchlight.passkey.store;
    // For importing passkeys from other systems and for checking the security provider.
    exports dev.porchlight.passkey.cose to
            dev.porchlight.server;
    exports dev.porchlight.passkey.data to
            dev.porchlight.server;
}
