// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.wire.JsonObject;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** The same user, who signs in with the browser's only passkey, but not through the browser. */
    public static Person of(Person person, String origin) {
        JsonObject passkey = JsonObject.parse(person.browser().authenticator().export())
                .objects("passkeys")
                .get(0);
        FastAuthenticator fast =
                new FastAuthenticator(passkey.string("rpId"), privateKey(passkey.octets("privateKey")));
        String id = passkey.string("id");
        String userHandle = passkey.string("userHandle");
        AtomicInteger count = new AtomicInteger(passkey.integer("signCount"));
        return person.responding(
                options -> fast.respond(options.field("challenge"), origin, id, userHandle, count.incrementAndGet()));
    }

    private static ECPrivateKey privateKey(byte[] encoded) {
        try {
            return (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Creates the response to a challenge.
     *
     * @param userHandle omitted if null
     */
    public String respond(
            String challenge, String origin, String credentialId, @Nullable String userHandle, int count) {
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
        return "{\"id\":\"" + credentialId + "\",\"rawId\":\"" + credentialId + "\",\"response\":{\"clientDataJSON\":\""
                + BASE64URL.encodeToString(clientData) + "\",\"authenticatorData\":\""
                + BASE64URL.encodeToString(authenticatorData) + "\",\"signature\":\""
                + BASE64URL.encodeToString(signer.sign(signed))
                + (userHandle == null ? "" : "\",\"userHandle\":\"" + userHandle)
                + "\"},\"authenticatorAttachment\":\"cross-platform\",\"clientExtensionResults\":{},"
                + "\"type\":\"public-key\"}";
    }
}
