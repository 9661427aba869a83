// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.fuzz;

import com.sun.management.ThreadMXBean;
import dev.porchlight.base.Base64Url;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.SealedChallengeReader;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.cose.EcCurve;
import dev.porchlight.passkey.cose.EcdsaSignature;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CborEncoder;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.passkey.data.CborReader;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.RegistrationResponse;
import dev.porchlight.passkey.data.ResponseChallenge;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The parsers of untrusted bytes, one target each.
 *
 * <p>A target may only refuse its input with a {@link MalformedException}, parsed values must survive a round trip, and the
 * allocated memory is bounded by the size of the input. {@link CorpusTest} replays the corpus; {@link FuzzingTest} searches
 * for new inputs with Jazzer.
 */
public enum FuzzTarget {
    BASE64URL(input -> {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        same(text, Base64Url.decode(text, 49_152, "text").base64Url());
    }),
    SEALED_CHALLENGE(input -> {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        // Without the key only the input in the corpus is accepted.
        same(SealedChallengeReader.GENUINE, SealedChallengeReader.read(text));
        same(SealedChallengeReader.GENUINE, text);
    }),
    CBOR(input -> {
        Bytes bytes = Bytes.copyOf(input);
        same(bytes, CborEncoder.encode(CborReader.read(bytes, "item")));
    }),
    COSE_KEY(input -> {
        CborMap map = CborReader.readMap(Bytes.copyOf(input), "key");
        same(map, CoseKey.read(map).members());
        CredentialPublicKey key = CredentialPublicKey.fromCose(CoseKey.read(map));
        same(key, CredentialPublicKey.fromJwk(key.toJwk()));
    }),
    JWK(input -> {
        String json = utf8(input);
        // With a blank, the JSON reader parses it. Both ways must accept the same keys.
        same(jwk(json), jwk(json.replaceFirst("^\\{", "{ ")));
        CredentialPublicKey key = CredentialPublicKey.fromJwk(json);
        same(key, CredentialPublicKey.fromJwk(key.toJwk()));
    }),
    SIGNATURE(input -> {
        EcdsaSignature signature = EcdsaSignature.parse(EcCurve.P256, Bytes.copyOf(input));
        check(signature.r().signum() > 0 && signature.r().bitLength() <= 256);
        check(signature.s().signum() > 0 && signature.s().bitLength() <= 256);
    }),
    AUTHENTICATOR_DATA(input -> {
        AuthenticatorData data = AuthenticatorData.parse(Bytes.copyOf(input));
        check(data.signCount() >= 0 && data.signCount() <= 0xffff_ffffL);
        check((data.attestedCredential() != null) == ((data.flags() & 0x40) != 0));
        check((data.extensions() != null) == ((data.flags() & 0x80) != 0));
    }),
    ATTESTATION_OBJECT(input ->
            AuthenticatorData.parse(AttestationObject.parse(Bytes.copyOf(input)).authData())),
    CLIENT_DATA(input -> {
        Bytes raw = Bytes.copyOf(input);
        String challenge = ResponseChallenge.inClientData(raw);
        same(CollectedClientData.parse(raw).challenge(), challenge);
        same(raw.sha256(), CollectedClientData.parse(raw).hash());
    }),
    REGISTRATION_RESPONSE(input -> {
        String challenge = ResponseChallenge.inResponse(utf8(input));
        RegistrationResponse response = RegistrationResponse.parse(utf8(input));
        check(response.rawId().size() <= 1023 && !response.id().isEmpty());
        check(response.transports().size() <= 16);
        same(CollectedClientData.parse(response.clientDataJson()).challenge(), challenge);
        AttestationObject.parse(response.attestationObject());
    }),
    AUTHENTICATION_RESPONSE(input -> {
        String challenge = ResponseChallenge.inResponse(utf8(input));
        AuthenticationResponse response = AuthenticationResponse.parse(utf8(input));
        check(response.rawId().size() <= 1023 && !response.id().isEmpty());
        same(CollectedClientData.parse(response.clientDataJson()).challenge(), challenge);
        AuthenticatorData.parse(response.authenticatorData());
    });

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long ALLOWED_BYTES = 1 << 20;
    private static final long ALLOWED_PER_INPUT_BYTE = 256;

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
    private final Reading reading;

    FuzzTarget(Reading reading) {
        this.reading = reading;
    }

    /** The directory of the corpus. */
    Path directory() {
        return Path.of(
                System.getProperty("porchlight.root"),
                "passkey/src/test/resources/dev/porchlight/passkey/fuzz/corpus",
                name());
    }

    /** The inputs of the corpus. */
    List<Path> corpus() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.sorted().toList();
        }
    }

    /** Parses an input and throws on a finding. */
    void run(byte[] input) {
        long allowed = ALLOWED_BYTES + ALLOWED_PER_INPUT_BYTE * input.length;
        if (allocatedByReading(input) > allowed) {
            // Class loading allocates too, but only once.
            long again = allocatedByReading(input);
            if (again > allowed) {
                throw new AssertionError("allocated " + again + " bytes for an input of " + input.length);
            }
        }
    }

    private long allocatedByReading(byte[] input) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            reading.read(input);
        } catch (MalformedException refused) {
            String message = refused.getMessage();
            check(message.length() < 200 && message.chars().allMatch(c -> c >= ' ' && c <= '~' || c == '…'));
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static Optional<CredentialPublicKey> jwk(String json) {
        try {
            return Optional.of(CredentialPublicKey.fromJwk(json));
        } catch (MalformedException e) {
            return Optional.empty();
        }
    }

    private static String utf8(byte[] input) {
        return new String(input, StandardCharsets.UTF_8);
    }

    private static void same(Object expected, Object actual) {
        check(expected.equals(actual));
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new AssertionError("read what does not hold");
        }
    }

    private interface Reading {
        void read(byte[] input) throws MalformedException;
    }
}
