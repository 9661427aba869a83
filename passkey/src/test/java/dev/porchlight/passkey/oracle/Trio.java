// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.oracles.AttestationLevel;
import dev.porchlight.oracles.Oracle;
import dev.porchlight.oracles.Webauthn4jOracle;
import dev.porchlight.oracles.YubicoOracle;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.ExtensionOutputs;
import dev.porchlight.passkey.Extensions;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Precondition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Three relying parties with the same configuration and passkeys, which get the same responses. */
final class Trio {
    private static final String RP_ID = "example.com";
    private static final String ORIGIN = "https://login.example.com";
    private static final Set<Precondition> SETTINGS = Set.of(
            Precondition.USER_VERIFICATION_REQUIRED,
            Precondition.ATTESTATION_TRUSTED,
            Precondition.RS256_OFFERED,
            Precondition.BACKUP_ELIGIBLE);
    private static final AtomicInteger USERS = new AtomicInteger();

    /** The results of the three. */
    record Verdicts(boolean porchlight, boolean webauthn4j, boolean yubico) {}

    private PasskeyService porchlight;
    private final Oracle webauthn4j;
    private final Oracle yubico;
    private final SoftBrowser browser;
    private final String user = "user" + USERS.incrementAndGet();
    /** What this library read from the last response that it accepted. */
    private final Map<String, Object> outputs = new HashMap<>();

    /** Offers all algorithms that need no other provider to an authenticator with one of them. */
    Trio(HikariDataSource database, int algorithm) {
        this(database, algorithm, Extensions.NONE, AttestationFormat.NONE);
    }

    /** The same with extensions and attestation, whose issuer does not matter. */
    Trio(HikariDataSource database, int algorithm, Extensions extensions, AttestationFormat attestation) {
        var config = PasskeyConfig.builder("Example", RP_ID, ORIGIN)
                .algorithms(Stream.of(CredentialAlgorithm.values())
                        .filter(it -> it.isAvailable(null))
                        .toList())
                .attestation(AttestationPolicy.ACCEPT_UNTRUSTED, List.of())
                .extensions(extensions)
                .build();
        porchlight = new PasskeyService(config, database, new MemoryChallengeStore());
        webauthn4j = new Webauthn4jOracle(RP_ID, ORIGIN, AttestationLevel.VERIFIED, Set.of());
        yubico = new YubicoOracle(RP_ID, ORIGIN, AttestationLevel.VERIFIED, Set.of());
        browser = new SoftBrowser(
                ORIGIN,
                SoftAuthenticator.builder()
                        .algorithms(algorithm)
                        .attestation(attestation)
                        .build());
    }

    /**
     * Registers, and signs in without a user id, so that the options allow a passkey that this library refused. The peers
     * offer this algorithm only, because one of them cannot read other numbers.
     */
    List<Verdicts> run(int algorithm, Seams seams) {
        return List.of(register(algorithm, seams), authenticate(null, valid(CeremonyType.USERNAMELESS, seams)));
    }

    Verdicts register(Seams seams) {
        return register(-7, seams);
    }

    private Verdicts register(int algorithm, Seams seams) {
        String options = porchlight.startRegistration(user).toJson();
        String response = browser.create(options, valid(CeremonyType.REGISTRATION, seams));
        String offered = options.replaceFirst(
                "\"pubKeyCredParams\":\\[[^]]*]",
                "\"pubKeyCredParams\":[{\"type\":\"public-key\",\"alg\":" + algorithm + "}]");
        RegistrationResult result = porchlight.finishRegistration(user, response);
        outputs.clear();
        if (result instanceof RegistrationResult.Registered registered) {
            read(registered.extensions());
            output(
                    "credProps.rk",
                    Optional.ofNullable(registered.credential().flags().discoverable()));
        }
        return new Verdicts(
                result.registered(),
                webauthn4j.register(offered, response).accepted(),
                yubico.register(offered, response).accepted());
    }

    Verdicts signIn(Seams seams) {
        return authenticate(user, valid(CeremonyType.AUTHENTICATION, seams));
    }

    private static Mutation valid(CeremonyType ceremony, Seams seams) {
        return new Mutation(ceremony, "unnamed", "is valid", "7", true, Set.of(), seams);
    }

    void requesting(Extensions extensions) {
        porchlight = porchlight.requesting(extensions);
    }

    /** The extension outputs that each library read from the last response that it accepted. */
    List<Map<String, Object>> outputs() {
        return List.of(Map.copyOf(outputs), webauthn4j.outputs(), yubico.outputs());
    }

    private void read(ExtensionOutputs read) {
        output("credProtect", read.credentialProtection().map(it -> it.ordinal() + 1));
        output("minPinLength", read.minPinLength().map(Long::intValue));
        output("prf.enabled", read.prfEnabled());
        output("largeBlob.supported", read.largeBlobSupported());
        output("largeBlob.written", read.largeBlobWritten());
        output("largeBlob.blob", read.largeBlob());
    }

    private void output(String name, Optional<?> value) {
        value.ifPresent(found -> outputs.put(name, found));
    }

    /** Arranges the preconditions of a mutation. Two users are registered, and one has signed in. */
    Trio(HikariDataSource database, Set<Precondition> preconditions) {
        boolean trusted = preconditions.contains(Precondition.ATTESTATION_TRUSTED);
        boolean eligible = preconditions.contains(Precondition.BACKUP_ELIGIBLE);
        var config = PasskeyConfig.builder("Example", RP_ID, ORIGIN);
        if (preconditions.contains(Precondition.USER_VERIFICATION_REQUIRED)) {
            config.userVerification(UserVerification.REQUIRED);
        }
        if (preconditions.contains(Precondition.RS256_OFFERED)) {
            config.algorithms(List.of(CredentialAlgorithm.ES256, CredentialAlgorithm.RS256));
        }
        if (trusted) {
            config.attestation(AttestationPolicy.REQUIRE_TRUSTED, List.of(SoftAuthenticator.attestationRoot()));
        }
        porchlight = new PasskeyService(config.build(), database, new MemoryChallengeStore());
        AttestationLevel level = trusted ? AttestationLevel.TRUSTED : AttestationLevel.VERIFIED;
        webauthn4j = new Webauthn4jOracle(RP_ID, ORIGIN, level, Set.of(SoftAuthenticator.attestationRoot()));
        yubico = new YubicoOracle(RP_ID, ORIGIN, level, Set.of(SoftAuthenticator.attestationRoot()));
        browser = new SoftBrowser(
                ORIGIN,
                SoftAuthenticator.builder()
                        .attestation(trusted ? AttestationFormat.PACKED : AttestationFormat.NONE)
                        .backup(eligible, eligible)
                        .build());
        assertThat(register("stranger to " + user, null)).isEqualTo(new Verdicts(true, true, true));
        assertThat(register(user, null)).isEqualTo(new Verdicts(true, true, true));
        browser.picks(user);
        assertThat(authenticate(user, null)).isEqualTo(new Verdicts(true, true, true));
    }

    /**
     * Returns whether the trio can be reused after a mutation with these preconditions, which leaves no state.
     */
    static boolean isReusable(Set<Precondition> preconditions) {
        return SETTINGS.containsAll(preconditions);
    }

    Verdicts send(Mutation mutation) {
        return switch (mutation.ceremony()) {
            case REGISTRATION -> register("user" + USERS.incrementAndGet(), mutation);
            case AUTHENTICATION -> authenticate(user, mutation);
            case USERNAMELESS -> authenticate(null, mutation);
        };
    }

    private Verdicts register(String userId, Mutation mutation) {
        String options = porchlight.startRegistration(userId).toJson();
        String response = mutation == null ? browser.create(options) : browser.create(options, mutation);
        return new Verdicts(
                porchlight.finishRegistration(userId, response).registered(),
                webauthn4j.register(options, response).accepted(),
                yubico.register(options, response).accepted());
    }

    private Verdicts authenticate(String userId, Mutation mutation) {
        boolean named = userId != null;
        String options = (named ? porchlight.startAuthentication(userId) : porchlight.startAuthentication()).toJson();
        String response = mutation == null ? browser.get(options) : browser.get(options, mutation);
        AuthenticationResult result =
                named ? porchlight.finishAuthentication(userId, response) : porchlight.finishAuthentication(response);
        outputs.clear();
        if (result instanceof AuthenticationResult.Verified verified) {
            read(verified.extensions());
        }
        return new Verdicts(
                result.verified(),
                webauthn4j.authenticate(options, response).accepted(),
                yubico.authenticate(options, response).accepted());
    }
}
