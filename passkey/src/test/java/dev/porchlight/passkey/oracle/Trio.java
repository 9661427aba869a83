// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.oracles.Attestation;
import dev.porchlight.oracles.Oracle;
import dev.porchlight.oracles.Webauthn4jOracle;
import dev.porchlight.oracles.YubicoOracle;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.Lie;
import dev.porchlight.testkit.tamper.Premise;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Three relying parties with the same settings and the same passkeys, to whom one browser tells the same things. */
final class Trio {
    private static final String RP_ID = "example.com";
    private static final String ORIGIN = "https://login.example.com";
    private static final Set<Premise> SETTINGS =
            Set.of(Premise.USER_VERIFICATION_REQUIRED, Premise.ATTESTATION_TRUSTED, Premise.BACKUP_ELIGIBLE);
    private static final AtomicInteger USERS = new AtomicInteger();

    /** Who accepted. */
    record Verdicts(boolean porchlight, boolean webauthn4j, boolean yubico) {}

    private final PasskeyService porchlight;
    private final Oracle webauthn4j;
    private final Oracle yubico;
    private final SoftBrowser browser;
    private final String user = "user" + USERS.incrementAndGet();

    /** Arranged as the premises of a lie demand; two users are registered, and one of them has signed in. */
    Trio(HikariDataSource database, Set<Premise> premises) {
        boolean trusted = premises.contains(Premise.ATTESTATION_TRUSTED);
        boolean eligible = premises.contains(Premise.BACKUP_ELIGIBLE);
        var config = PasskeyConfig.builder("Example", RP_ID, ORIGIN);
        if (premises.contains(Premise.USER_VERIFICATION_REQUIRED)) {
            config.userVerification(UserVerification.REQUIRED);
        }
        if (trusted) {
            config.attestation(AttestationPolicy.REQUIRE_TRUSTED, List.of(SoftAuthenticator.attestationRoot()));
        }
        porchlight = new PasskeyService(config.build(), database, new MemoryChallengeStore());
        Attestation asked = trusted ? Attestation.TRUSTED : Attestation.VERIFIED;
        webauthn4j = new Webauthn4jOracle(RP_ID, ORIGIN, asked, Set.of(SoftAuthenticator.attestationRoot()));
        yubico = new YubicoOracle(RP_ID, ORIGIN, asked, Set.of(SoftAuthenticator.attestationRoot()));
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
     * Whether lies with these premises can follow each other; those about counts, strangers and the past leave marks.
     */
    static boolean isReusable(Set<Premise> premises) {
        return SETTINGS.containsAll(premises);
    }

    Verdicts tell(Lie lie) {
        return switch (lie.ceremony()) {
            case REGISTRATION -> register("user" + USERS.incrementAndGet(), lie);
            case AUTHENTICATION -> authenticate(user, lie);
            case USERNAMELESS -> authenticate(null, lie);
        };
    }

    private Verdicts register(String userId, Lie lie) {
        String options = porchlight.startRegistration(userId).toJson();
        String response = lie == null ? browser.create(options) : browser.create(options, lie);
        return new Verdicts(
                porchlight.finishRegistration(userId, response).registered(),
                webauthn4j.register(options, response).accepted(),
                yubico.register(options, response).accepted());
    }

    private Verdicts authenticate(String userId, Lie lie) {
        boolean named = userId != null;
        String options = (named ? porchlight.startAuthentication(userId) : porchlight.startAuthentication()).toJson();
        String response = lie == null ? browser.get(options) : browser.get(options, lie);
        return new Verdicts(
                (named ? porchlight.finishAuthentication(userId, response) : porchlight.finishAuthentication(response))
                        .verified(),
                webauthn4j.authenticate(options, response).accepted(),
                yubico.authenticate(options, response).accepted());
    }
}
