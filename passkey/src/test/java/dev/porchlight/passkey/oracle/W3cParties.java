// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.oracles.AttestationLevel;
import dev.porchlight.oracles.Oracle;
import dev.porchlight.oracles.Webauthn4jOracle;
import dev.porchlight.oracles.YubicoOracle;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.oracle.Trio.Verdicts;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Three relying parties with the id example.org, for the examples of the specification. They offer the algorithms that
 * this library knows, except for ML-DSA, and allow no frames.
 */
final class W3cParties {
    private static final String RP_ID = "example.org";
    private static final String ORIGIN = "https://example.org";
    private static final long NEVER = 4_000_000_000_000L;
    private static final List<CredentialAlgorithm> OFFERED = Stream.of(CredentialAlgorithm.values())
            .filter(it -> !it.jcaName().equals("ML-DSA"))
            .toList();

    private final MemoryChallengeStore challenges = new MemoryChallengeStore();
    private final SqlCredentialStore credentials;
    private final PasskeyService porchlight;
    private final Oracle webauthn4j = new Webauthn4jOracle(RP_ID, ORIGIN, AttestationLevel.VERIFIED, Set.of());
    private final Oracle yubico = new YubicoOracle(RP_ID, ORIGIN, AttestationLevel.VERIFIED, Set.of());

    W3cParties() {
        DataSource database = TestDatabase.SQLITE.fresh();
        Migration.run(database);
        credentials = new SqlCredentialStore(database);
        PasskeyConfig config = PasskeyConfig.builder("Example", RP_ID, ORIGIN)
                .algorithms(OFFERED)
                .attestation(AttestationPolicy.ACCEPT_UNTRUSTED, List.of())
                .build();
        porchlight = new PasskeyService(config, database, challenges);
    }

    Verdicts register(JsonNode vector) {
        String response = vector.get("response").toString();
        String user = user(vector);
        porchlight.startRegistration(user);
        challenges.setChallenge(user, vector.get("challenge").asText(), NEVER);
        return new Verdicts(
                porchlight.finishRegistration(user, response).registered(),
                webauthn4j.register(creation(vector), response).accepted(),
                yubico.register(creation(vector), response).accepted());
    }

    /**
     * Registers without attestation or verification, so that only authentications are compared.
     */
    void enroll(JsonNode vector) {
        String response = unattested(vector);
        if (CredentialAlgorithm.of(vector.get("alg").asLong()).isPresent()) {
            String id = vector.get("response").get("id").asText();
            String key = vector.get("publicKeyJwk").toString();
            credentials.add(
                    CredentialRecord.of(
                            id, user(vector), key, vector.get("signCount").asLong(), ORIGIN),
                    1);
        }
        webauthn4j.register(creation(vector), response);
        yubico.register(creation(vector), response);
    }

    Verdicts authenticate(JsonNode vector) {
        String response = vector.get("response").toString();
        String user = user(vector);
        challenges.setChallenge(user, vector.get("challenge").asText(), NEVER);
        return new Verdicts(
                porchlight.finishAuthentication(user, response).verified(),
                webauthn4j.authenticate(request(vector), response).accepted(),
                yubico.authenticate(request(vector), response).accepted());
    }

    /** Returns the registration without its attestation. */
    private static String unattested(JsonNode vector) {
        try {
            ObjectNode response = vector.get("response").deepCopy();
            ObjectNode inner = (ObjectNode) response.get("response");
            var object = AttestationObject.parse(Bytes.copyOf(
                    Octets.fromBase64Url(inner.get("attestationObject").asText())));
            byte[] none = Cbor.encode(Cbor.map(
                    "fmt",
                    "none",
                    "attStmt",
                    Cbor.map(),
                    "authData",
                    object.authData().toByteArray()));
            inner.put("attestationObject", Octets.base64Url(none));
            return response.toString();
        } catch (MalformedException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A registration and its authentication share one number and one user. */
    private static String user(JsonNode vector) {
        return "owner of " + vector.get("id").asText().replaceFirst(".*-", "");
    }

    private static String creation(JsonNode vector) {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.putObject("rp").put("id", RP_ID).put("name", "Example");
        options.putObject("user").put("id", "AAAA").put("name", user(vector)).put("displayName", "Owner");
        options.put("challenge", vector.get("challenge").asText());
        options.putArray("pubKeyCredParams")
                .addObject()
                .put("type", "public-key")
                .put("alg", vector.get("alg").asLong());
        return options.toString();
    }

    private static String request(JsonNode vector) {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("challenge", vector.get("challenge").asText());
        options.put("rpId", RP_ID);
        options.putArray("allowCredentials")
                .addObject()
                .put("type", "public-key")
                .put("id", vector.get("response").get("id").asText());
        return options.toString();
    }
}
