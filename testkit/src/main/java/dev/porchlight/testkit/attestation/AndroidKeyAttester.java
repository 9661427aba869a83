// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.wire.Der;
import java.util.function.Consumer;

/**
 * Creates {@code android-key} statements: a certificate for the credential key with a key description (WebAuthn section
 * 8.4).
 */
public final class AndroidKeyAttester implements Attester {
    public static final String DESCRIPTION_EXTENSION = "1.3.6.1.4.1.11129.2.1.17";

    /** A mutable description of a key by Android's key store. */
    public static final class KeyDescription {
        public byte[] challenge;
        /** 2 is signing. */
        public int purpose = 2;
        /** 0 is generated inside. */
        public int origin;

        public boolean forAllApplications;

        KeyDescription(byte[] challenge) {
            this.challenge = challenge;
        }

        private byte[] octets() {
            byte[] all = forAllApplications ? Der.tagged(600, Der.none()) : new byte[0];
            byte[] enforced = Der.sequence(
                    Der.tagged(1, Der.set(Der.integer(purpose))),
                    Der.tagged(2, Der.integer(3)),
                    Der.tagged(3, Der.integer(256)),
                    Der.tagged(10, Der.integer(1)),
                    all,
                    Der.tagged(702, Der.integer(origin)));
            return Der.sequence(
                    Der.integer(4),
                    Der.enumerated(1),
                    Der.integer(41),
                    Der.enumerated(1),
                    Der.octets(challenge),
                    Der.octets(new byte[0]),
                    Der.sequence(),
                    enforced);
        }
    }

    private final Issuer issuer;
    private final Consumer<KeyDescription> change;

    public AndroidKeyAttester(Issuer issuer, Consumer<KeyDescription> change) {
        this.issuer = issuer;
        this.change = change;
    }

    @Override
    public Statement attest(Subject subject) {
        KeyDescription description = new KeyDescription(subject.clientDataHash);
        change.accept(description);
        CertificateDraft leaf = new CertificateDraft(subject.key().publicKey())
                .subject("CH", CertificateAuthority.ORGANIZATION, "Android Keystore", "Android Keystore Key")
                .extension(DESCRIPTION_EXTENSION, false, description.octets());
        return new Statement(
                "android-key",
                "alg",
                subject.key().algorithm().cose(),
                "sig",
                subject.key().sign(subject.signedOctets()),
                "x5c",
                issuer.issue(leaf, subject.random));
    }
}
