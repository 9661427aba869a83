// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** WebAuthn ceremonies, strict and complete, with their storage. */
@NullMarked
module dev.porchlight.passkey {
    requires static org.jspecify;
    requires transitive dev.porchlight.base;
    requires transitive java.sql;

    exports dev.porchlight.passkey;
    exports dev.porchlight.passkey.attestation;
    exports dev.porchlight.passkey.cose;
    exports dev.porchlight.passkey.data;
    exports dev.porchlight.passkey.store;
    exports dev.porchlight.passkey.verify;
}
