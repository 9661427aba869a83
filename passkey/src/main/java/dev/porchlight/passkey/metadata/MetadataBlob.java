// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Base64Url;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.attestation.Certificates;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A verified BLOB of the FIDO Metadata Service, version 3: a JWS with an entry for each model of authenticator. Entries of UAF
 * are ignored. Immutable.
 */
public final class MetadataBlob {
    /** The longest BLOB, in bytes: FIDO's have fewer than ten million. */
    public static final int MAX_BYTES = 32 * 1024 * 1024;

    private static final int MAX_HEADER_BYTES = 65_536;
    private static final String NO_AAGUID = "00000000-0000-0000-0000-000000000000";
    /** The algorithms that the specification names, with the JDK's names. */
    private static final Map<String, String> ALGORITHMS =
            Map.of("RS256", "SHA256withRSA", "ES256", "SHA256withECDSAinP1363Format");

    private final long number;
    private final LocalDate nextUpdate;
    private final Instant signerExpiry;
    private final Map<String, AuthenticatorModel> byAaguid = new HashMap<>();
    private final Map<String, AuthenticatorModel> byKey = new HashMap<>();

    private MetadataBlob(JsonObject payload, Instant signerExpiry) throws MalformedException {
        this.number = payload.integer("no");
        this.nextUpdate = AuthenticatorModel.date(payload, "nextUpdate", payload.text("nextUpdate"));
        this.signerExpiry = signerExpiry;
        for (JsonObject entry : payload.objects("entries")) {
            var model = AuthenticatorModel.parse(entry);
            if (model.aaguid().isPresent()
                    && byAaguid.putIfAbsent(model.aaguid().get(), model) != null) {
                throw payload.malformed(
                        "entries", "two entries for " + model.aaguid().get());
            }
            model.keyIdentifiers().forEach(key -> byKey.putIfAbsent(key, model));
        }
    }

    /**
     * Verifies the signature and the certificates of a BLOB, and reads it. Certificates are valid at this time, or were on the
     * last day of the signer's. Revocation of certificates is not checked.
     *
     * @throws MalformedException if it is malformed, or not signed by a trusted signer
     */
    public static MetadataBlob parse(String jws, MetadataTrust trust, Instant at) throws MalformedException {
        int first = jws.indexOf('.');
        int second = jws.indexOf('.', first + 1);
        if (first < 0 || second < 0 || jws.length() > MAX_BYTES) {
            throw new MalformedException("metadata", "not a JWS in three parts of at most " + MAX_BYTES + " bytes");
        }
        Bytes encoded = Base64Url.decode(jws.substring(0, first), MAX_HEADER_BYTES, "header");
        JsonObject header = JsonObject.parse(text(encoded), "header");
        if (header.names().contains("crit")) {
            throw header.malformed("crit", "extensions are not supported");
        }
        String algorithm = ALGORITHMS.get(header.text("alg"));
        if (algorithm == null) {
            throw header.malformed("alg", "not RS256 or ES256");
        }
        List<X509Certificate> path = certificates(header);
        trust.require(path, at);
        Bytes signature = Base64Url.decode(jws.substring(second + 1), MAX_HEADER_BYTES, "signature");
        byte[] signed = jws.substring(0, second).getBytes(US_ASCII);
        if (!isSigned(algorithm, path.get(0).getPublicKey(), signed, signature)) {
            throw new MalformedException("signature", "does not verify");
        }
        Bytes payload = Base64Url.decode(jws.substring(first + 1, second), MAX_BYTES, "payload");
        return new MetadataBlob(
                JsonObject.parse(text(payload), "payload", MAX_BYTES),
                path.get(0).getNotAfter().toInstant());
    }

    /** The serial number. A later BLOB has a greater one. */
    public long number() {
        return number;
    }

    /** The day when the next BLOB is published at the latest. */
    public LocalDate nextUpdate() {
        return nextUpdate;
    }

    /** When the signer's certificate expires. A BLOB that is read later may be kept, but should not be new. */
    public Instant signerExpiry() {
        return signerExpiry;
    }

    /** The number of models with an AAGUID. */
    public int size() {
        return byAaguid.size();
    }

    /** All models with an AAGUID, in no order. */
    public Collection<AuthenticatorModel> models() {
        return List.copyOf(byAaguid.values());
    }

    /** Returns the model with this AAGUID, a UUID in lower case. */
    public Optional<AuthenticatorModel> find(@Nullable String aaguid) {
        return aaguid == null ? Optional.empty() : Optional.ofNullable(byAaguid.get(aaguid));
    }

    /**
     * Returns the model with this AAGUID or, because U2F has none, with this certificate.
     *
     * @param u2f the certificate of a U2F statement; it is not used if there is an AAGUID
     */
    public Optional<AuthenticatorModel> find(String aaguid, Optional<X509Certificate> u2f) {
        if (u2f.isEmpty() || !aaguid.equals(NO_AAGUID)) {
            return find(aaguid);
        }
        try {
            return Optional.ofNullable(byKey.get(Certificates.keyIdentifier(u2f.get())));
        } catch (MalformedException e) {
            return Optional.empty(); // a key that the JDK has read, in a form that no model has
        }
    }

    private static List<X509Certificate> certificates(JsonObject header) throws MalformedException {
        var encoded = new ArrayList<Bytes>();
        try {
            for (String certificate : header.texts("x5c")) {
                encoded.add(Bytes.copyOf(Base64.getDecoder().decode(certificate)));
            }
            return Certificates.read(encoded);
        } catch (IllegalArgumentException | CertificateException e) {
            throw header.malformed("x5c", "a certificate that cannot be read");
        }
    }

    private static boolean isSigned(String algorithm, PublicKey key, byte[] signed, Bytes signature) {
        try {
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(key);
            verifier.update(signed);
            return verifier.verify(signature.toByteArray());
        } catch (GeneralSecurityException | RuntimeException e) {
            return false; // a signature that makes a provider fail is invalid
        }
    }

    private static String text(Bytes utf8) throws MalformedException {
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(utf8.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedException("metadata", "not UTF-8");
        }
    }
}
