// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import org.junit.jupiter.api.Test;

class PreparedSignerTest {
    @Test
    void signatures_verify_with_the_jdk_for_their_message_only() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        PreparedSigner signer = new PreparedSigner((ECPrivateKey) pair.getPrivate());

        for (int i = 0; i < 200; i++) {
            byte[] message = ("message " + i).getBytes(UTF_8);
            byte[] signature = signer.sign(message);
            assertThat(verifies(pair, message, signature)).isTrue();
            assertThat(verifies(pair, "another".getBytes(UTF_8), signature)).isFalse();
        }
    }

    private static boolean verifies(KeyPair pair, byte[] message, byte[] signature) throws Exception {
        Signature check = Signature.getInstance("SHA256withECDSA");
        check.initVerify(pair.getPublic());
        check.update(message);
        return check.verify(signature);
    }
}
