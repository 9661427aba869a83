// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.key.SeededRandom;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Builds a {@link SoftAuthenticator}. The defaults are those of a security key. Not thread-safe. */
public final class SoftAuthenticatorBuilder {
    SecureRandom random = new SecureRandom();
    Counting counting = Counting.PER_PASSKEY;
    boolean userVerified = true;
    boolean backupEligible;
    boolean backedUp;
    String attachment = "cross-platform";
    List<String> transports = List.of("usb");
    List<Integer> algorithms = List.of(-7);
    AttestationFormat attestation = AttestationFormat.NONE;
    List<String> extensions = List.of("prf", "largeBlob", "credProtect", "minPinLength");
    int credentialIdLength = 32;
    private UUID aaguid = UUID.fromString("706f7263-686c-6967-6874-2d746573746b");

    SoftAuthenticatorBuilder() {}

    private SoftAuthenticatorBuilder(SoftAuthenticatorBuilder other) {
        random = other.random;
        counting = other.counting;
        userVerified = other.userVerified;
        backupEligible = other.backupEligible;
        backedUp = other.backedUp;
        attachment = other.attachment;
        transports = other.transports;
        algorithms = other.algorithms;
        attestation = other.attestation;
        extensions = other.extensions;
        credentialIdLength = other.credentialIdLength;
        aaguid = other.aaguid;
    }

    /** Derives all keys, ids and signatures from this seed. */
    public SoftAuthenticatorBuilder seed(long seed) {
        return random(SeededRandom.of(Octets.utf8(Long.toString(seed))));
    }

    public SoftAuthenticatorBuilder random(SecureRandom source) {
        random = source;
        return this;
    }

    public SoftAuthenticatorBuilder counting(Counting mode) {
        counting = mode;
        return this;
    }

    /** Sets whether it can verify its user by PIN or biometrics; can be changed later. */
    public SoftAuthenticatorBuilder userVerified(boolean verified) {
        userVerified = verified;
        return this;
    }

    /** Sets the two backup flags; can be changed later. */
    public SoftAuthenticatorBuilder backup(boolean eligible, boolean nowBackedUp) {
        backupEligible = eligible;
        backedUp = nowBackedUp;
        return this;
    }

    /** Sets the attachment: {@code platform} or {@code cross-platform}. */
    public SoftAuthenticatorBuilder attachment(String kind) {
        attachment = kind;
        return this;
    }

    public SoftAuthenticatorBuilder transports(String... names) {
        transports = List.of(names);
        return this;
    }

    /** Sets the supported algorithms by their COSE numbers: -7, -8, -9, -19, -35 to -37, -48 to -52, -257. */
    public SoftAuthenticatorBuilder algorithms(int... coseNumbers) {
        algorithms = IntStream.of(coseNumbers).boxed().toList();
        return this;
    }

    public SoftAuthenticatorBuilder attestation(AttestationFormat format) {
        attestation = format;
        return this;
    }

    /** Sets the supported extensions: by default {@code prf}, {@code largeBlob}, {@code credProtect} and {@code minPinLength}. */
    public SoftAuthenticatorBuilder extensions(String... names) {
        extensions = List.of(names);
        return this;
    }

    /** Sets the length of new credential ids, 16 to 1023 octets. */
    public SoftAuthenticatorBuilder credentialIdLength(int octets) {
        if (octets < 16 || octets > 1023) {
            throw new IllegalArgumentException("a credential id must have 16 to 1023 octets, not " + octets);
        }
        credentialIdLength = octets;
        return this;
    }

    public SoftAuthenticatorBuilder aaguid(UUID model) {
        aaguid = model;
        return this;
    }

    byte[] aaguid() {
        return Octets.join(
                Octets.bigEndian(aaguid.getMostSignificantBits(), 8),
                Octets.bigEndian(aaguid.getLeastSignificantBits(), 8));
    }

    /** Returns an authenticator. Later changes to this builder do not affect it. */
    public SoftAuthenticator build() {
        return new SoftAuthenticator(new SoftAuthenticatorBuilder(this));
    }
}
