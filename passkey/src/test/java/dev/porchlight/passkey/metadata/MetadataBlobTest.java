// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Vectors;
import dev.porchlight.passkey.attestation.Certificates;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftMetadata;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The metadata of FIDO, and that of the testkit with one fault each. */
class MetadataBlobTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final LocalDate DAY = LocalDate.parse("2026-06-01");
    private static final UUID MODEL = UUID.fromString("a5a5a5a5-a5a5-a5a5-a5a5-a5a5a5a5a5a5");
    private static final MetadataTrust KIT = MetadataTrust.of(List.of(SoftAuthenticator.attestationRoot()));

    private static MetadataBlob parse(String jws) throws MalformedException {
        return MetadataBlob.parse(jws, KIT, NOW);
    }

    private static void refused(String jws, MetadataTrust trust, String reason) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> MetadataBlob.parse(jws, trust, NOW))
                .withMessageContaining(reason);
    }

    private static SoftMetadata draft() {
        return new SoftMetadata(7, "2026-07-01").model(MODEL, "Soft key", "FIDO_CERTIFIED_L1 2025-01-01");
    }

    private static AuthenticatorModel model(String... statuses) throws MalformedException {
        return parse(new SoftMetadata(1, "2026-07-01")
                        .model(MODEL, "Soft key", statuses)
                        .sign())
                .find(MODEL.toString())
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "blob-20.jwt, 20, 2022-11-01, 2022-10-15T00:00:00Z",
        "blob-112.jwt, 112, 2024-12-01, 2024-11-15T00:00:00Z"
    })
    void the_metadata_of_fido_is_verified(String name, long number, LocalDate nextUpdate, Instant then)
            throws Exception {
        String jws = Files.readString(Vectors.file("mds/" + name)).strip();

        MetadataBlob blob = MetadataBlob.parse(jws, MetadataTrust.fido(), then);

        assertThat(blob.number()).isEqualTo(number);
        assertThat(blob.nextUpdate()).isEqualTo(nextUpdate);
        assertThat(blob.size()).isGreaterThan(50);
        assertThat(blob.models()).allSatisfy(model -> assertThat(model.name()).isNotBlank());
        assertThat(blob.models().stream().filter(model -> model.icon().isPresent()))
                .hasSizeGreaterThan(blob.size() / 2);
        assertThat(blob.models().stream()
                        .filter(model -> model.certification(nextUpdate).isPresent()))
                .hasSizeGreaterThan(blob.size() / 2);
        refused(jws, KIT, "no path to a configured root");
        refused(jws.substring(0, jws.length() - 8) + "AAAAAAAA", MetadataTrust.fido(), "signature");
    }

    @Test
    void the_metadata_of_fido_names_models_and_reports_compromised_ones() throws Exception {
        String jws = Files.readString(Vectors.file("mds/blob-112.jwt")).strip();

        MetadataBlob blob = MetadataBlob.parse(jws, MetadataTrust.fido(), Instant.parse("2024-11-15T00:00:00Z"));

        assertThat(blob.find("fcb1bcb4-f370-078c-6993-bc24d0ae3fbe"))
                .map(AuthenticatorModel::name)
                .contains("Ledger Nano X FIDO2 Authenticator");
        assertThat(blob.find("fcb1bcb4-f370-078c-6993-bc24d0ae3fbe"))
                .map(AuthenticatorModel::hardwareKeys)
                .contains(true);
        assertThat(blob.models()).anyMatch(AuthenticatorModel::hardwareKeys).anyMatch(model -> !model.hardwareKeys());
        LocalDate revoked = LocalDate.parse("2023-12-20");
        assertThat(blob.models().stream()
                        .filter(model -> model.compromise(revoked).isPresent())
                        .map(AuthenticatorModel::name))
                .containsExactly("TruU Windows Authenticator");
        assertThat(blob.models())
                .noneMatch(model -> model.compromise(revoked.minusDays(1)).isPresent());
    }

    @Test
    void metadata_is_read() throws Exception {
        MetadataBlob blob = parse(draft().sign());

        AuthenticatorModel model = blob.find(MODEL.toString()).orElseThrow();
        assertThat(blob.number()).isEqualTo(7);
        assertThat(model.name()).isEqualTo("Soft key");
        assertThat(model.icon()).isPresent();
        assertThat(model.roots()).hasSize(1);
        assertThat(blob.find(UUID.randomUUID().toString())).isEmpty();
        assertThat(blob.find(null)).isEmpty();
    }

    @Test
    void the_certificate_of_a_u2f_statement_counts_only_without_an_aaguid() throws Exception {
        var certificate = Optional.of(SoftAuthenticator.attestationRoot());
        String key = Certificates.keyIdentifier(certificate.get());
        MetadataBlob blob = parse(draft().u2f(key, "Soft U2F key").sign());
        String zeros = new UUID(0, 0).toString();

        assertThat(blob.find(zeros, certificate)).map(AuthenticatorModel::name).contains("Soft U2F key");
        assertThat(blob.find(zeros, Optional.empty())).isEmpty();
        assertThat(blob.find(MODEL.toString(), certificate))
                .map(AuthenticatorModel::name)
                .contains("Soft key");
        assertThat(blob.find(UUID.randomUUID().toString(), certificate)).isEmpty();
    }

    @Test
    void a_certificate_of_another_authority_is_refused() {
        refused(draft().impostor().sign(), KIT, "no path to a configured root");
    }

    /** The authority behind FIDO's certificate issues certificates to everyone. */
    @Test
    void a_certificate_for_another_host_is_refused() throws Exception {
        X509Certificate root = SoftAuthenticator.attestationRoot();
        var trust = new MetadataTrust(Set.of(root), Optional.of("mds.fidoalliance.org"));

        refused(draft().sign(), trust, "not for mds.fidoalliance.org");
        refused(draft().signerName("mds.fidoalliance.org.example").sign(), trust, "not for mds.fidoalliance.org");
        String signed = draft().signerName("mds.fidoalliance.org").sign();
        assertThat(MetadataBlob.parse(signed, trust, NOW).number()).isEqualTo(7);
    }

    @Test
    void a_changed_payload_is_refused() {
        String[] parts = draft().sign().split("\\.");
        String[] other = new SoftMetadata(8, "2026-07-01").sign().split("\\.");

        refused(parts[0] + '.' + other[1] + '.' + parts[2], KIT, "signature");
        refused(parts[0] + '.' + parts[1] + '.', KIT, "signature");
        refused(parts[0] + '.' + parts[1], KIT, "three parts");
        refused(parts[0] + '.' + parts[1] + '.' + parts[2] + ".x", KIT, "not base64url");
        refused("", KIT, "three parts");
    }

    /** FIDO's chain ended in a copy of its root that another authority had signed. */
    @Test
    void certificates_beyond_a_root_do_not_matter() throws Exception {
        String jws = Files.readString(Vectors.file("mds/blob-112.jwt")).strip();
        String header = new String(Base64.getUrlDecoder().decode(jws.substring(0, jws.indexOf('.'))), UTF_8);
        String[] x5c = header.substring(header.indexOf('[') + 2, header.indexOf(']') - 1)
                .split("\",\"");
        var issuer = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(Base64.getDecoder().decode(x5c[1])));

        assertThat(MetadataBlob.parse(jws, MetadataTrust.of(List.of(issuer)), NOW)
                        .number())
                .isEqualTo(112);
    }

    @Test
    void a_blob_outlives_the_certificate_of_its_signer() throws Exception {
        Instant end = Instant.parse("2026-01-01T00:00:00Z");

        MetadataBlob blob = parse(draft().signerExpiry(end).sign());

        assertThat(blob.signerExpiry()).isEqualTo(end);
        assertThatExceptionOfType(MalformedException.class)
                .as("not before its beginning")
                .isThrownBy(() -> MetadataBlob.parse(draft().sign(), KIT, Instant.parse("2019-01-01T00:00:00Z")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"crit\":[\"exp\"]", "\"alg\":\"ES256\""})
    void critical_and_repeated_header_members_are_refused(String member) {
        refused(draft().header(member).sign(), KIT, "header");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"aaguid\":\"A5A5A5A5-A5A5-A5A5-A5A5-A5A5A5A5A5A5\"}",
                "{\"aaguid\":\"a5a5a5a5-a5a5-a5a5-a5a5-a5a5a5a5a5a5\"}",
                "{\"aaguid\":7}",
                "{\"aaguid\":null,\"aaguid\":null}",
                "{\"statusReports\":[{\"status\":\"REVOKED\",\"effectiveDate\":\"tomorrow\"}]}",
                "{\"statusReports\":[{}]}",
                "{\"metadataStatement\":{}}",
                "[]"
            })
    void malformed_entries_are_refused(String entry) {
        refused(draft().entry(entry).sign(), KIT, "payload");
    }

    @ParameterizedTest
    @CsvSource({
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:image/png;base64,PHN2Zy8+",
        "https://example.com/icon.png",
        "data:image/png;base64,"
    })
    void only_png_images_are_used_as_icons(String url) throws Exception {
        UUID other = UUID.randomUUID();
        MetadataBlob blob = parse(draft().entry("{\"aaguid\":\"" + other
                        + "\",\"metadataStatement\":{\"description\":\"x\",\"icon\":\"" + url + "\"}}")
                .sign());

        assertThat(blob.find(other.toString()).orElseThrow().icon()).isEmpty();
    }

    /** FIDO's registry excludes the third; remote_handle alone does not say where the wrapping key is. */
    @ParameterizedTest
    @CsvSource({
        "hardware secure_element remote_handle, true",
        "hardware tee, true",
        "software hardware, false",
        "software remote_handle, false",
        "remote_handle, false",
        "later, false"
    })
    void keys_are_in_hardware_only_if_the_vendor_says_so_and_names_no_software(String protection, boolean hardware)
            throws Exception {
        MetadataBlob blob = parse(new SoftMetadata(1, "2026-07-01")
                .keyProtection(protection.split(" "))
                .model(MODEL, "Soft key")
                .sign());

        assertThat(blob.find(MODEL.toString()).orElseThrow().hardwareKeys()).isEqualTo(hardware);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REVOKED",
                "USER_KEY_REMOTE_COMPROMISE",
                "USER_KEY_PHYSICAL_COMPROMISE",
                "ATTESTATION_KEY_COMPROMISE",
                "USER_VERIFICATION_BYPASS"
            })
    void a_compromise_counts_from_its_day_on(String status) throws Exception {
        AuthenticatorModel model = model("FIDO_CERTIFIED_L1 2025-01-01", status + " 2026-06-01");

        assertThat(model.compromise(DAY)).isPresent();
        assertThat(model.compromise(DAY.minusDays(1))).isEmpty();
        assertThat(model(status).compromise(LocalDate.parse("1999-01-01")))
                .as("without a date")
                .isPresent();
        assertThat(model("UPDATE_AVAILABLE", "FIDO_CERTIFIED").compromise(DAY)).isEmpty();
    }

    @Test
    void the_highest_certification_counts_until_it_is_withdrawn() throws Exception {
        AuthenticatorModel model = model(
                "NOT_FIDO_CERTIFIED 2026-03-01",
                "FIDO_CERTIFIED_L1 2025-03-01",
                "FIDO_CERTIFIED_L2plus 2025-02-01",
                "FIDO_CERTIFIED 2024-01-01");

        assertThat(model.certification(LocalDate.parse("2023-01-01"))).isEmpty();
        assertThat(model.certification(LocalDate.parse("2024-06-01"))).contains(CertificationLevel.L1);
        assertThat(model.certification(LocalDate.parse("2025-06-01"))).contains(CertificationLevel.L2_PLUS);
        assertThat(model.certification(DAY)).isEmpty();
    }
}
