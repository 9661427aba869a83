// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.cert.X509Certificate;

/** {@code id-fido-gen-ce-aaguid}: the authenticator model that an attestation certificate was made for. */
final class AaguidExtension {
    static final String OID = "1.3.6.1.4.1.45724.1.1.4";

    private AaguidExtension() {}

    /** Whether it is absent or, not being critical, names this model. */
    static boolean allows(X509Certificate certificate, Bytes aaguid) throws MalformedException {
        var value = Certificates.extension(certificate, OID);
        if (value.isEmpty()) {
            return true;
        }
        // The model is an octet string inside the octet string that every extension is.
        Der outer = Der.over(value.get());
        Bytes named = Bytes.copyOf(outer.bytes(Der.OCTET_STRING));
        outer.finish();
        return named.equals(aaguid) && !Certificates.isCritical(certificate, OID);
    }
}
