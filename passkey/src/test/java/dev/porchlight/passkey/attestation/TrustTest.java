// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.AttestationPolicy.ACCEPT_UNTRUSTED;
import static dev.porchlight.passkey.AttestationPolicy.NOT_REQUESTED;
import static dev.porchlight.passkey.AttestationPolicy.REQUIRE_TRUSTED;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_EXPIRED;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_UNUSED_BITS;
import static dev.porchlight.passkey.attestation.AttestationReason.CHAIN_UNTRUSTED;
import static dev.porchlight.passkey.attestation.SoftRegistration.ANCHORS;
import static dev.porchlight.passkey.attestation.SoftRegistration.AT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.passkey.attestation.AttestationResult.Refused;
import dev.porchlight.testkit.attestation.AndroidKeyAttester;
import dev.porchlight.testkit.attestation.AppleAttester;
import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.CertificateAuthority;
import dev.porchlight.testkit.attestation.FidoU2fAttester;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.attestation.PackedAttester;
import dev.porchlight.testkit.attestation.TpmAttester;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps 20, 21 and 24: paths to trust anchors, and the attestation policies. */
class TrustTest {
    private static final Instant EXPIRY = Instant.parse("2025-06-01T00:00:00Z");

    static List<Function<Issuer, Attester>> certifying() {
        return List.of(
                PackedAttester::new,
                FidoU2fAttester::new,
                AppleAttester::new,
                issuer -> new AndroidKeyAttester(issuer, unchanged -> {}),
                issuer -> new TpmAttester(issuer, unchanged -> {}));
    }

    private static SoftRegistration packed(Issuer issuer) {
        return SoftRegistration.by(new PackedAttester(issuer));
    }

    private static Optional<AttestationReason> doubt(AttestationResult result) {
        return ((Accepted) result).attestation().doubt();
    }

    private static TrustAnchors anchors(byte[]... certificates) {
        return new TrustAnchors(Set.copyOf(path(certificates)));
    }

    @ParameterizedTest
    @MethodSource("certifying")
    void certified_formats_are_only_trusted_with_an_anchor(Function<Issuer, Attester> format) {
        var registration = SoftRegistration.by(format.apply(Issuer.kit()));
        assertThat(doubt(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT))).isEmpty();
        assertThat(doubt(registration.verify(ACCEPT_UNTRUSTED, new TrustAnchors(Set.of()), AT)))
                .contains(CHAIN_UNTRUSTED);
        assertThat(registration.verify(REQUIRE_TRUSTED, new TrustAnchors(Set.of()), AT))
                .isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    @ParameterizedTest
    @MethodSource("certifying")
    void an_authority_with_the_same_name_and_another_key_is_not_trusted(Function<Issuer, Attester> format) {
        var registration = SoftRegistration.by(format.apply(Issuer.impostor()));
        assertThat(doubt(registration.verify(ACCEPT_UNTRUSTED, ANCHORS, AT))).contains(CHAIN_UNTRUSTED);
        assertThat(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT)).isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    /** T37, GHSA-6hxq-p678-4hr2. */
    @Test
    void a_root_inside_the_statement_is_not_trusted() {
        var registration =
                packed(Issuer.impostor()).append(CertificateAuthority.impostor().rootOctets());
        assertThat(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT)).isEqualTo(new Refused(CHAIN_UNTRUSTED));
        assertThat(registration.verify(REQUIRE_TRUSTED, new TrustAnchors(Set.of()), AT))
                .isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    /** The trusted root follows the untrusted one: an anchor must be reached, not just be present. */
    @Test
    void a_path_that_contains_an_anchor_without_leading_to_it_is_not_trusted() {
        var behind = packed(Issuer.impostor()).append(CertificateAuthority.kit().rootOctets());
        var further = packed(Issuer.impostor())
                .append(CertificateAuthority.impostor().rootOctets())
                .append(CertificateAuthority.kit().rootOctets());
        assertThat(behind.verify(REQUIRE_TRUSTED, ANCHORS, AT)).isEqualTo(new Refused(CHAIN_UNTRUSTED));
        assertThat(further.verify(REQUIRE_TRUSTED, ANCHORS, AT)).isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    @Test
    void a_root_at_the_end_is_accepted_if_it_is_an_anchor() {
        var registration =
                packed(Issuer.kit()).append(CertificateAuthority.kit().rootOctets());
        var attestation = ((Accepted) registration.verify(REQUIRE_TRUSTED, ANCHORS, AT)).attestation();
        assertThat(attestation.trusted()).isTrue();
    }

    @Test
    void certificates_after_an_anchor_are_ignored() {
        var registration = packed(Issuer.kit())
                .append(CertificateAuthority.kit().rootOctets())
                .append(CertificateAuthority.impostor().rootOctets());
        assertThat(doubt(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT))).isEmpty();
    }

    @Test
    void eight_certificates_are_accepted() {
        var registration = packed(Issuer.kit());
        for (int i = 0; i < 6; i++) {
            registration.append(CertificateAuthority.kit().rootOctets());
        }
        assertThat(doubt(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT))).isEmpty();
    }

    @Test
    void an_intermediate_authority_can_be_an_anchor() {
        var registration = packed(Issuer.kit());
        var intermediate = anchors(registration.x5c().get(1));
        assertThat(doubt(registration.verify(REQUIRE_TRUSTED, intermediate, AT)))
                .isEmpty();
        assertThat(packed(Issuer.impostor()).verify(REQUIRE_TRUSTED, intermediate, AT))
                .isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    @Test
    void an_attestation_certificate_is_an_anchor_only_for_itself() {
        var registration = packed(Issuer.kit());
        var leaf = anchors(registration.x5c().get(0));
        assertThat(doubt(registration.verify(REQUIRE_TRUSTED, leaf, AT))).isEmpty();
        assertThat(packed(Issuer.kit()).verify(REQUIRE_TRUSTED, leaf, AT)).isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    @Test
    void a_missing_or_misplaced_intermediate_is_not_trusted() {
        var registration = packed(Issuer.kit());
        var chain = registration.x5c();
        assertThat(registration.put("x5c", List.of(chain.get(0))).verify(REQUIRE_TRUSTED, ANCHORS, AT))
                .isEqualTo(new Refused(CHAIN_UNTRUSTED));
        assertThat(registration
                        .put(
                                "x5c",
                                List.of(chain.get(0), CertificateAuthority.kit().rootOctets(), chain.get(1)))
                        .verify(REQUIRE_TRUSTED, ANCHORS, AT))
                .isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    @Test
    void an_attestation_certificate_cannot_issue_others() {
        var issuer = packed(Issuer.kit());
        var registration = packed(Issuer.kit());
        var chain = List.of(
                registration.x5c().get(0), issuer.x5c().get(0), issuer.x5c().get(1));
        assertThat(registration.put("x5c", chain).verify(REQUIRE_TRUSTED, ANCHORS, AT))
                .isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    /** The JDK does not check whether an anchor may issue certificates. */
    @Test
    void an_end_entity_anchor_cannot_issue_others() {
        var key = SoftRegistration.otherKey(KeyAlgorithm.ES256);
        byte[] endEntity = packed(Issuer.changed(draft -> draft.key(key.publicKey())))
                .x5c()
                .get(0);
        var issued = packed(new Issuer(CertificateAuthority.usurped(endEntity, key), draft -> {}));

        assertThat(anchors(endEntity).reachedBy(path(endEntity), AT)).isTrue();
        assertThat(issued.verify(REQUIRE_TRUSTED, anchors(endEntity), AT)).isEqualTo(new Refused(CHAIN_UNTRUSTED));
        assertThat(anchors(endEntity).reachedBy(path(issued.x5c().get(0)), AT)).isFalse();
    }

    @Test
    void a_self_issued_version_1_root_may_issue_others() {
        assertThat(Certificates.mayIssue(CertificateAuthority.kit().root())).isTrue();
        assertThat(Certificates.mayIssue(path(packed(Issuer.kit()).x5c().get(0)).get(0)))
                .isFalse();
        assertThat(Certificates.mayIssue(path(packed(Issuer.changed(draft -> draft.version(1)))
                                .x5c()
                                .get(0))
                        .get(0)))
                .as("issued by another")
                .isFalse();
    }

    private static List<X509Certificate> path(byte[]... certificates) {
        try {
            return Certificates.read(
                    List.of(certificates).stream().map(Bytes::copyOf).toList());
        } catch (CertificateException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void an_unknown_critical_extension_is_not_trusted() {
        var registration = packed(Issuer.changed(draft -> draft.extension("1.2.3.4", true, Der.none())));
        assertThat(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT)).isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    @ParameterizedTest
    @MethodSource("certifying")
    void an_expired_certificate_is_not_trusted_even_if_it_is_an_anchor(Function<Issuer, Attester> format) {
        var registration = SoftRegistration.by(format.apply(Issuer.changed(draft -> draft.validUntil(EXPIRY))));
        var both = anchors(
                CertificateAuthority.kit().rootOctets(), registration.x5c().get(0));
        assertThat(doubt(registration.verify(REQUIRE_TRUSTED, both, EXPIRY))).isEmpty();
        assertThat(registration.verify(REQUIRE_TRUSTED, both, EXPIRY.plusSeconds(1)))
                .isEqualTo(new Refused(CERTIFICATE_EXPIRED));
        assertThat(doubt(registration.verify(ACCEPT_UNTRUSTED, both, EXPIRY.plusSeconds(1))))
                .contains(CERTIFICATE_EXPIRED);
    }

    @Test
    void certificates_that_are_not_yet_valid_are_not_trusted() {
        var start = Instant.parse("2020-01-01T00:00:00Z");
        assertThat(packed(Issuer.kit()).verify(REQUIRE_TRUSTED, ANCHORS, start.minusSeconds(1)))
                .isEqualTo(new Refused(CERTIFICATE_EXPIRED));
        var early = packed(Issuer.changed(draft -> draft.validFrom(start.minus(Duration.ofDays(365)))));
        assertThat(doubt(early.verify(REQUIRE_TRUSTED, ANCHORS, start))).isEmpty();
        assertThat(early.verify(REQUIRE_TRUSTED, ANCHORS, start.minusSeconds(1)))
                .isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }

    @ParameterizedTest
    @MethodSource("certifying")
    void an_unrequested_attestation_is_recorded_but_untrusted(Function<Issuer, Attester> format) {
        var registration = SoftRegistration.by(format.apply(Issuer.kit()));
        var attestation = ((Accepted) registration.verify(NOT_REQUESTED, ANCHORS, AT)).attestation();
        assertThat(attestation.doubt()).contains(AttestationReason.NOT_REQUESTED);
        assertThat(attestation.type()).isNotEqualTo(Attestation.Type.NONE);
        assertThat(registration.put("x5c", List.of()).verify(NOT_REQUESTED, ANCHORS, AT))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(AttestationReason.STATEMENT_MALFORMED));
    }

    @ParameterizedTest
    @MethodSource("certifying")
    void an_unknown_member_is_recorded_but_untrusted(Function<Issuer, Attester> format) {
        var registration = SoftRegistration.by(format.apply(Issuer.kit())).put("surplus", 1);
        assertThat(doubt(registration.verify(ACCEPT_UNTRUSTED, ANCHORS, AT)))
                .contains(AttestationReason.MEMBERS_UNKNOWN);
        assertThat(doubt(registration.verify(ACCEPT_UNTRUSTED, new TrustAnchors(Set.of()), AT)))
                .contains(AttestationReason.MEMBERS_UNKNOWN);
        assertThat(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT))
                .isEqualTo(new Refused(AttestationReason.MEMBERS_UNKNOWN));
    }

    /** A registration for each doubt. */
    private static final Map<AttestationReason, Supplier<SoftRegistration>> DOUBTS = Map.of(
            AttestationReason.NOT_ATTESTED,
            () -> SoftRegistration.by(Attester.NONE),
            AttestationReason.SELF_ATTESTED,
            () -> SoftRegistration.by(PackedAttester.self()),
            CHAIN_UNTRUSTED,
            () -> packed(Issuer.impostor()),
            CERTIFICATE_EXPIRED,
            () -> packed(Issuer.changed(draft -> draft.validUntil(EXPIRY))),
            CERTIFICATE_UNUSED_BITS,
            () -> withUnusedBits(packed(Issuer.kit())),
            AttestationReason.MEMBERS_UNKNOWN,
            () -> packed(Issuer.kit()).put("ver", "2.0"),
            AttestationReason.DIGEST_OUTDATED,
            TpmFormatTest::withSha1,
            AttestationReason.AAGUID_NOT_ATTESTED,
            () -> FidoU2fFormatTest.unchanged().authData(data -> Octets.flip(data, 52, 0)),
            AttestationReason.KEY_NOT_IN_HARDWARE,
            AndroidKeyFormatTest::inSoftware);

    /** Declares the last three bits of the signature unused, like the certificates of some YubiKeys. */
    private static SoftRegistration withUnusedBits(SoftRegistration registration) {
        return registration.certificate(0, TrustTest::withUnusedBits);
    }

    private static byte[] withUnusedBits(byte[] certificate) {
        int signature = path(certificate).get(0).getSignature().length;
        byte[] changed = certificate.clone();
        changed[certificate.length - signature - 1] = 3;
        return changed;
    }

    @ParameterizedTest
    @MethodSource("certifying")
    void unused_bits_never_refuse_a_passkey_that_needs_no_trust(Function<Issuer, Attester> format) {
        var registration = withUnusedBits(SoftRegistration.by(format.apply(Issuer.kit())));
        assertThat(doubt(registration.verify(NOT_REQUESTED, ANCHORS, AT))).contains(AttestationReason.NOT_REQUESTED);
        assertThat(doubt(registration.verify(ACCEPT_UNTRUSTED, ANCHORS, AT))).contains(CERTIFICATE_UNUSED_BITS);
        assertThat(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT)).isEqualTo(new Refused(CERTIFICATE_UNUSED_BITS));
    }

    /** A signature that ends with a zero bit keeps its value when that bit is declared unused. */
    @Test
    void unused_bits_are_not_trusted_even_if_they_are_zero() {
        SoftRegistration registration;
        byte[] certificate;
        do {
            registration = packed(Issuer.kit());
            certificate = registration.x5c().get(0);
        } while ((certificate[certificate.length - 1] & 7) != 0);
        assertThat(doubt(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT))).isEmpty();
        assertThat(withUnusedBits(registration).verify(REQUIRE_TRUSTED, ANCHORS, AT))
                .isEqualTo(new Refused(CERTIFICATE_UNUSED_BITS));
    }

    @Test
    void only_the_exact_known_certificates_are_repaired() throws CertificateException {
        byte[] certificate = packed(Issuer.kit()).x5c().get(0);
        Bytes broken = Bytes.copyOf(withUnusedBits(certificate));
        assertThat(Certificates.read(broken, Set.of(broken.sha256())).getEncoded())
                .isEqualTo(certificate);
        assertThat(Certificates.read(broken, Certificates.REPAIRABLE).getEncoded())
                .isEqualTo(broken.toByteArray());
        assertThat(Certificates.REPAIRABLE).hasSize(6).allMatch(hash -> hash.size() == 32);
    }

    static Set<AttestationReason> doubts() {
        return DOUBTS.keySet();
    }

    @ParameterizedTest
    @MethodSource("doubts")
    void the_policy_decides_if_a_doubt_is_recorded_or_refused(AttestationReason reason) {
        var registration = DOUBTS.get(reason).get();
        assertThat(doubt(registration.verify(ACCEPT_UNTRUSTED, ANCHORS, AT))).contains(reason);
        assertThat(registration.verify(REQUIRE_TRUSTED, ANCHORS, AT)).isEqualTo(new Refused(reason));
    }

    @Test
    void every_doubt_has_a_test_case() {
        Set<AttestationReason> expected = EnumSet.allOf(AttestationReason.class);
        expected.removeIf(reason -> reason.stage() != AttestationReason.Stage.TRUST);
        expected.remove(AttestationReason.NOT_REQUESTED); // caused by the policy, not by the statement
        assertThat(doubts()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void anchors_are_copied() {
        Set<X509Certificate> given = new HashSet<>();
        var anchors = new TrustAnchors(given);
        given.add(CertificateAuthority.kit().root());
        assertThat(packed(Issuer.kit()).verify(REQUIRE_TRUSTED, anchors, AT)).isEqualTo(new Refused(CHAIN_UNTRUSTED));
    }
}
