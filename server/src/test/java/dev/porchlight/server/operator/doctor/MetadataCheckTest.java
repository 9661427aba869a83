// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor reports about the metadata of authenticators. */
class MetadataCheckTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-06-10T12:00:00Z"));

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private Path blob;
    private Path kept;

    @BeforeEach
    void configure() throws Exception {
        blob = directory.resolve("blob.jwt");
        kept = directory.resolve("data/metadata.jwt");
        Path roots = directory.resolve("roots.pem");
        byte[] root = SoftAuthenticator.attestationRoot().getEncoded();
        Files.writeString(
                roots,
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(root)
                        + "\n-----END CERTIFICATE-----\n");
        publish(blob, 7, "2026-07-01");
        environment.putAll(Map.of(
                "DATA_DIR",
                directory.resolve("data").toString(),
                "PORT",
                "0",
                "METADATA_ROOTS",
                roots.toString(),
                "METADATA_FILE",
                blob.toString()));
    }

    private static void publish(Path file, long number, String nextUpdate) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(
                file,
                new SoftMetadata(number, nextUpdate)
                        .model(UUID.randomUUID(), "Soft key")
                        .sign());
    }

    private List<String> found() {
        return new Doctor(environment, CLOCK, Doctor.trustOfTheJdk(), Doctor.TIMEOUT)
                .examine(null, null).stream()
                        .filter(it -> it.what().toLowerCase(Locale.ROOT).contains("metadata"))
                        .map(it -> it.state() + " " + it.what().replace(directory.toString(), "…"))
                        .toList();
    }

    @Test
    void current_metadata_is_valid_and_nothing_is_written() {
        assertThat(found())
                .containsExactly(
                        "OK metadata number 7 (authenticators: 1) is readable; newer metadata is due on 2026-07-01");
        assertThat(kept).doesNotExist();
    }

    @Test
    void metadata_whose_successor_is_due_is_a_warning() throws IOException {
        publish(blob, 7, "2026-06-01");
        assertThat(found())
                .containsExactly(
                        "WARNING metadata number 7 (authenticators: 1) should have been replaced on 2026-06-01;"
                                + " reports about compromised authenticators since then are missing");
    }

    @Test
    void unreadable_metadata_is_a_problem() throws IOException {
        Files.writeString(blob, "a.b.c");
        assertThat(found())
                .singleElement()
                .asString()
                .startsWith("PROBLEM the metadata in …/blob.jwt cannot be used: ");

        publish(blob, 7, "2026-07-01");
        Files.createDirectories(kept.getParent());
        Files.writeString(kept, "");
        assertThat(found())
                .hasSize(2)
                .element(0)
                .asString()
                .startsWith("PROBLEM the metadata in …/data/metadata.jwt cannot be used: ");
    }

    @Test
    void a_file_that_is_older_than_the_metadata_in_use_is_a_problem() throws IOException {
        publish(kept, 8, "2026-07-01");
        assertThat(found())
                .containsExactly(
                        "PROBLEM METADATA_FILE has number 7, which is older than 8 in …/data/metadata.jwt, so it"
                                + " is not used");
    }

    @Test
    void a_url_is_checked_by_what_the_service_kept() throws IOException {
        environment.remove("METADATA_FILE");
        environment.put("METADATA_URL", "http://127.0.0.1:1/");
        assertThat(found()).containsExactly("WARNING METADATA_URL was not read yet: there is no …/data/metadata.jwt");

        publish(kept, 8, "2026-07-01");
        assertThat(found())
                .containsExactly(
                        "OK metadata number 8 (authenticators: 1) is readable; newer metadata is due on 2026-07-01");
    }

    @Test
    void a_policy_without_metadata_is_a_warning() throws IOException {
        Path policy = directory.resolve("policy.json");
        Files.writeString(policy, "{\"signIn\":\"refuse\"}");
        environment.remove("METADATA_FILE");
        environment.put("PASSKEY_POLICY_FILE", policy.toString());
        assertThat(found())
                .containsExactly("WARNING PASSKEY_POLICY_FILE is set and there is no metadata, so compromised"
                        + " authenticators are not recognized: set METADATA_URL or METADATA_FILE");

        Files.writeString(policy, "{\"minimumCertification\":\"L1\"}");
        assertThat(found()).singleElement().asString().startsWith("PROBLEM METADATA_URL is missing");
    }
}
