// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import static dev.porchlight.testkit.response.AuthenticatorData.ATTESTED;
import static dev.porchlight.testkit.response.AuthenticatorData.BACKED_UP;
import static dev.porchlight.testkit.response.AuthenticatorData.BACKUP_ELIGIBLE;
import static dev.porchlight.testkit.response.AuthenticatorData.EXTENDED;
import static dev.porchlight.testkit.response.AuthenticatorData.USER_PRESENT;
import static dev.porchlight.testkit.response.AuthenticatorData.USER_VERIFIED;

import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.CertificateAuthority;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.attestation.Subject;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.response.AuthenticatorData;
import dev.porchlight.testkit.response.Choice;
import dev.porchlight.testkit.response.Credential;
import dev.porchlight.testkit.response.Seam;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.response.Signing;
import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A software authenticator: creates, stores and uses passkeys as configured.
 *
 * <p>{@link #securityKey()} and {@link #syncedPasskeys()} are the two usual kinds; {@link #builder()} builds others. A seeded
 * authenticator creates the same octets on every run of the same JDK. Thread-safe.
 */
public final class SoftAuthenticator {
    private final SoftAuthenticatorBuilder settings;
    private final SecureRandom random;
    private final AtomicLong globalCounter = new AtomicLong();
    private final List<Credential> credentials = new ArrayList<>();
    private final Map<String, String> blobs = new ConcurrentHashMap<>();
    private boolean userPresent = true;
    private boolean userVerified;
    private boolean backupEligible;
    private boolean backedUp;

    SoftAuthenticator(SoftAuthenticatorBuilder settings) {
        this.settings = settings;
        this.random = settings.random;
        this.userVerified = settings.userVerified;
        this.backupEligible = settings.backupEligible;
        this.backedUp = settings.backedUp;
    }

    /** Returns a security key with a PIN, whose device-bound passkeys count signatures. */
    public static SoftAuthenticator securityKey() {
        return builder().build();
    }

    /** Returns a platform passkey provider, whose passkeys are backed up and do not count. */
    public static SoftAuthenticator syncedPasskeys() {
        return builder()
                .attachment("platform")
                .transports("hybrid", "internal")
                .counting(Counting.NOT_AT_ALL)
                .backup(true, true)
                .build();
    }

    public static SoftAuthenticatorBuilder builder() {
        return new SoftAuthenticatorBuilder();
    }

    /**
     * The root of all attestation certificates of the testkit.
     *
     * <p>Its private key is public: trust it only in tests.
     */
    public static X509Certificate attestationRoot() {
        return CertificateAuthority.kit().root();
    }

    /** Sets whether a user is present; if not, calls are refused. */
    public synchronized SoftAuthenticator setUserPresent(boolean present) {
        userPresent = present;
        return this;
    }

    /** Sets whether it can verify its user by PIN or biometrics. */
    public synchronized SoftAuthenticator setUserVerified(boolean verified) {
        userVerified = verified;
        return this;
    }

    /** Sets the two backup flags. */
    public synchronized SoftAuthenticator setBackup(boolean eligible, boolean nowBackedUp) {
        backupEligible = eligible;
        backedUp = nowBackedUp;
        return this;
    }

    /** Returns its passkeys, oldest first. */
    public synchronized List<Passkey> passkeys() {
        return credentials.stream()
                .map(it -> new Passkey(it.id(), it.rpId(), it.userHandle(), it.userName(), it.lastCount()))
                .toList();
    }

    /** Returns its passkeys with their private keys, as JSON for {@link #restore}. */
    public synchronized String export() {
        return StoredPasskeys.write(credentials);
    }

    /** Replaces its passkeys with the exported ones. */
    public synchronized SoftAuthenticator restore(String exported) {
        var stored = StoredPasskeys.parse(exported);
        credentials.clear();
        stored.forEach(passkey -> credentials.add(StoredPasskeys.read(passkey, random, counter())));
        return this;
    }

    /** Deletes the passkey with this id, if it exists. */
    public synchronized void forget(String credentialId) {
        credentials.removeIf(it -> it.id().equals(credentialId));
    }

    /** The parameters of authenticatorMakeCredential. */
    record MakeRequest(
            String rpId,
            String userHandle,
            String userName,
            boolean discoverable,
            List<Integer> algorithms,
            boolean attest,
            String userVerification,
            Mediation mediation,
            Map<Object, Object> extensions) {}

    /** A new credential with its authenticator data and attestation object, in base64url. */
    record Created(Credential credential, String authenticatorData, String attestationObject) {}

    /** An assertion by a credential, in base64url. */
    record Asserted(Credential credential, String authenticatorData, String signature) {}

    String attachment() {
        return settings.attachment;
    }

    List<String> transports() {
        return settings.transports;
    }

    boolean supports(String extension) {
        return settings.extensions.contains(extension);
    }

    /** The large blobs by credential id, in base64url. Not exported. */
    Map<String, String> blobs() {
        return blobs;
    }

    synchronized boolean canVerifyUser() {
        return userVerified;
    }

    synchronized Created make(MakeRequest request, byte[] clientData, Seams seams) {
        KeyAlgorithm algorithm = seams.pass(Seam.ALGORITHM, pick(request.algorithms()));
        byte[] id = new byte[settings.credentialIdLength];
        random.nextBytes(id);
        Credential made = new Credential(
                Octets.base64Url(id),
                request.rpId(),
                request.discoverable() ? request.userHandle() : null,
                request.userName(),
                request.discoverable(),
                algorithm.generate(random),
                counter());
        Credential credential =
                seams.pass(Seam.CHOICE, new Choice(made, held(request.rpId()))).credential();

        Attester attester =
                seams.pass(Seam.ATTESTER, request.attest() ? settings.attestation.attester() : Attester.NONE);
        boolean present = request.mediation() != Mediation.CONDITIONAL;
        AuthenticatorData data = describe(credential, present, request.userVerification());
        data.set(ATTESTED);
        if (!request.extensions().isEmpty()) {
            data.set(EXTENDED).extensions = request.extensions();
        }
        data.aaguid = attester.aaguid(data.aaguid);
        byte[] octets = describe(data, seams);

        Statement statement = attester.attest(new Subject(
                credential.key(), data.credentialId, data.aaguid, octets, Octets.sha256(clientData), random));
        byte[] object = attestationObject(seams.pass(Seam.STATEMENT, statement), octets, seams);
        return new Created(credential, Octets.base64Url(octets), Octets.base64Url(object));
    }

    /**
     * Stores a new credential. As in CTAP2, it replaces a discoverable one of the same account.
     */
    synchronized void keep(Credential credential) {
        credentials.removeIf(it -> it.discoverable()
                && it.rpId().equals(credential.rpId())
                && Objects.equals(it.userHandle(), credential.userHandle()));
        credentials.add(credential);
    }

    synchronized Asserted use(Credential chosen, String userVerification, byte[] clientData, Seams seams) {
        Credential credential =
                seams.pass(Seam.CHOICE, new Choice(chosen, others(chosen))).credential();
        byte[] octets = describe(describe(credential, true, userVerification), seams);
        Signing signing = seams.pass(Seam.SIGNING, new Signing(credential.key(), octets, clientData));
        byte[] signature = seams.pass(Seam.SIGNATURE, signing.signature());
        return new Asserted(credential, Octets.base64Url(octets), Octets.base64Url(signature));
    }

    /** Returns the credentials for a relying party, newest first. */
    synchronized List<Credential> held(String rpId) {
        List<Credential> held = new ArrayList<>();
        for (Credential credential : credentials) {
            if (credential.rpId().equals(rpId)) {
                held.add(0, credential);
            }
        }
        return held;
    }

    private List<Credential> others(Credential credential) {
        return held(credential.rpId()).stream()
                .filter(it -> !it.id().equals(credential.id()))
                .toList();
    }

    private KeyAlgorithm pick(List<Integer> offered) {
        return offered.stream()
                .filter(settings.algorithms::contains)
                .flatMap(it -> KeyAlgorithm.ofCose(it).stream())
                .findFirst()
                .orElseThrow(
                        () -> new DomException("NotSupportedError", "none of the algorithms is supported: " + offered));
    }

    private AuthenticatorData describe(Credential credential, boolean presence, String userVerification) {
        if (presence && !userPresent) {
            throw new DomException("NotAllowedError", "the user is not present");
        }
        boolean verify = presence && userVerified && !userVerification.equals("discouraged");
        int flags = (presence ? USER_PRESENT : 0)
                | (verify ? USER_VERIFIED : 0)
                | (backupEligible ? BACKUP_ELIGIBLE : 0)
                | (backedUp ? BACKED_UP : 0);
        AuthenticatorData data = new AuthenticatorData(credential.rpId(), flags, credential.nextCount());
        data.aaguid = settings.aaguid();
        data.credentialId = credential.idOctets();
        data.key = credential.key().cose();
        return data;
    }

    private static byte[] describe(AuthenticatorData data, Seams seams) {
        byte[] octets = seams.pass(Seam.AUTHENTICATOR_DATA, data).octets();
        return seams.pass(Seam.AUTHENTICATOR_DATA_OCTETS, octets);
    }

    private static byte[] attestationObject(Statement statement, byte[] authenticatorData, Seams seams) {
        Map<Object, Object> members =
                Cbor.map("fmt", statement.format(), "attStmt", statement.value(), "authData", authenticatorData);
        byte[] octets = Cbor.encode(seams.pass(Seam.ATTESTATION_OBJECT, members));
        return seams.pass(Seam.ATTESTATION_OBJECT_OCTETS, octets);
    }

    private @Nullable AtomicLong counter() {
        return switch (settings.counting) {
            case NOT_AT_ALL -> null;
            case PER_PASSKEY -> new AtomicLong();
            case GLOBALLY -> globalCounter;
        };
    }
}
