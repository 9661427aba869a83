// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Creates login responses, byte for byte as the testkit's soft browser does, but at less cost than the service's work on
 * them. Thread-safe.
 */
public final class FastAuthenticator {
    private static final byte PRESENT_AND_VERIFIED = 0x05;
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

    private final byte[] rpIdHash;
    private final PreparedSigner signer;

    public FastAuthenticator(String rpId, ECPrivateKey key) {
        rpIdHash = PreparedSigner.sha256(rpId.getBytes(UTF_8));
        signer = new PreparedSigner(key);
    }

    /**
     * Creates the response to a challenge.
     *
     * @param userHandle omitted if null
     * @param valid whether the signature is valid
     */
    public String respond(
            String challenge,
            String origin,
            String credentialId,
            @Nullable String userHandle,
            int count,
            boolean valid) {
        byte[] clientData = ("{\"type\":\"webauthn.get\",\"challenge\":\"" + challenge + "\",\"origin\":\"" + origin
                        + "\",\"crossOrigin\":false}")
                .getBytes(UTF_8);
        byte[] authenticatorData = ByteBuffer.allocate(37)
                .put(rpIdHash)
                .put(PRESENT_AND_VERIFIED)
                .putInt(count)
                .array();
        byte[] signed = ByteBuffer.allocate(69)
                .put(authenticatorData)
                .put(PreparedSigner.sha256(clientData))
                .array();
        if (!valid) {
            signed[68] ^= 1;
        }
        return "{\"id\":\"" + credentialId + "\",\"rawId\":\"" + credentialId + "\",\"response\":{\"clientDataJSON\":\""
                + BASE64URL.encodeToString(clientData) + "\",\"authenticatorData\":\""
                + BASE64URL.encodeToString(authenticatorData) + "\",\"signature\":\""
                + BASE64URL.encodeToString(signer.sign(signed))
                + (userHandle == null ? "" : "\",\"userHandle\":\"" + userHandle)
                + "\"},\"authenticatorAttachment\":\"cross-platform\",\"clientExtensionResults\":{},"
                + "\"type\":\"public-key\"}";
    }
}
