// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.crypto.SignatureProvider;

/** Whether signatures are judged right here, and by what. */
final class CryptoCheck {
    Finding finding() {
        SignatureProvider chosen = SignatureProvider.choose();
        if (chosen.fault() != null) {
            return Finding.wrong(
                    "the crypto provider is broken: " + chosen.fault(),
                    "export JAVA_HOME=JDK   # a JDK with all security updates");
        }
        String slower = chosen.passedOver() == null ? "" : "; not by the native provider: " + chosen.passedOver();
        return Finding.fine("signatures are judged right, by " + chosen.name() + slower);
    }
}
