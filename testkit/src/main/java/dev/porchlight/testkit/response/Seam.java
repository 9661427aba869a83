// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.Map;

/**
 * A place in the creation of a response where a value can be changed. The constants are in the order of processing.
 *
 * @param <T> the type of the value
 */
@SuppressWarnings("UnusedTypeParameter") // it types the value that passes, for Seams
public final class Seam<T> {
    /** The client data, before it is encoded. */
    public static final Seam<ClientData> CLIENT_DATA = new Seam<>();
    /** The encoded client data, before it is hashed. */
    public static final Seam<byte[]> CLIENT_DATA_OCTETS = new Seam<>();
    /** The algorithm of a new key, chosen from the offered ones. Registration only. */
    public static final Seam<KeyAlgorithm> ALGORITHM = new Seam<>();
    /** The credential that was created or chosen. */
    public static final Seam<Choice> CHOICE = new Seam<>();

    public static final Seam<AuthenticatorData> AUTHENTICATOR_DATA = new Seam<>();
    /** The encoded authenticator data, before it is signed. */
    public static final Seam<byte[]> AUTHENTICATOR_DATA_OCTETS = new Seam<>();
    /** The key and message of an assertion's signature. Authentication only. */
    public static final Seam<Signing> SIGNING = new Seam<>();
    /** The assertion's signature. Authentication only. */
    public static final Seam<byte[]> SIGNATURE = new Seam<>();
    /** The attester. Registration only, like the three that follow. */
    public static final Seam<Attester> ATTESTER = new Seam<>();

    public static final Seam<Statement> STATEMENT = new Seam<>();
    /** The members of the attestation object. */
    public static final Seam<Map<Object, Object>> ATTESTATION_OBJECT = new Seam<>();

    public static final Seam<byte[]> ATTESTATION_OBJECT_OCTETS = new Seam<>();
    /** The whole response, with {@code response} inside. */
    public static final Seam<JsonObject> ENVELOPE = new Seam<>();
    /** The response as it leaves the browser. */
    public static final Seam<String> TEXT = new Seam<>();

    private Seam() {}
}
