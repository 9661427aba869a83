// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.doctor;

import dev.porchlight.passkey.cose.SignatureSelfTest;

/** Whether this JDK judges signatures right. */
final class CryptoCheck {
    Finding finding() {
        String fault = SignatureSelfTest.fault();
        return fault == null
                ? Finding.fine("signatures are judged right")
                : Finding.wrong(
                        "the crypto provider is broken: " + fault,
                        "export JAVA_HOME=JDK   # a JDK with all security updates");
    }
}
