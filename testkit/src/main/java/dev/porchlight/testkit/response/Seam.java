// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.Map;

/**
 * A place in the making of a response where it can be changed; the constants stand in the order they are passed.
 *
 * @param <T> what passes there
 */
@SuppressWarnings("UnusedTypeParameter") // it types the value that passes, for Seams
public final class Seam<T> {
    /** What the browser collected, before it is written. */
    public static final Seam<ClientData> CLIENT_DATA = new Seam<>();
    /** As written, before it is hashed. */
    public static final Seam<byte[]> CLIENT_DATA_OCTETS = new Seam<>();
    /** The algorithm of a new key, picked from those offered. Registration only. */
    public static final Seam<KeyAlgorithm> ALGORITHM = new Seam<>();
    /** The credential that was made or chosen. */
    public static final Seam<Choice> CHOICE = new Seam<>();

    public static final Seam<AuthenticatorData> AUTHENTICATOR_DATA = new Seam<>();
    /** As written, before it is signed. */
    public static final Seam<byte[]> AUTHENTICATOR_DATA_OCTETS = new Seam<>();
    /** How an assertion is signed. Authentication only. */
    public static final Seam<Signing> SIGNING = new Seam<>();
    /** The assertion's signature. Authentication only. */
    public static final Seam<byte[]> SIGNATURE = new Seam<>();
    /** Who attests. Registration only, like the three that follow. */
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
