// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.oracles.AttestationLevel;
import dev.porchlight.oracles.Webauthn4jOracle;
import dev.porchlight.oracles.YubicoOracle;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passkeys of SimpleWebAuthn, Keycloak and Hanko sign in after an import. */
class ImportFormatsTest {
    private static final String NAMES =
            "The names of skipped users are not taken: with SIGNUP=open, anyone can sign up with them."
                    + " Send these users an enrollment link (enroll USER), which takes the name.\n";
    private static final String ORIGIN = "http://localhost";
    private static final Path PAGE = Path.of(System.getProperty("porchlight.root"), "docs/guides/moving-passkeys.md");
    private static final String ALICE = "0f0ddd33-19a0-4b47-9a2d-35bb6d59e8a3";
    private static final String BOB = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

    @TempDir
    Path directory;

    private final String target = TestDatabase.SQLITE.freshUrl();
    private final Map<String, SoftAuthenticator> people = new LinkedHashMap<>();

    @Test
    void rows_of_simplewebauthn_sign_in_with_every_encoding_of_their_key() throws IOException {
        List<String> rows = simpleWebAuthn();

        imported(documented("--from simplewebauthn", "passkeys.jsonl", rows), 3);
        ImportedUsers.signIn(target, people);
        assertThat(run("export", "-").out())
                .contains("\"transports\":[\"usb\"]", "\"backupEligible\":false", "\"backedUp\":false");
    }

    @Test
    void users_of_a_keycloak_export_sign_in() throws IOException {
        List<String> users = keycloak();

        imported(documented("--from keycloak", "users.jsonl", users), 2);
        ImportedUsers.signIn(target, people);
        assertThat(run("export", "-").out())
                .contains(
                        "\"name\":\"my key\"",
                        "\"createdAt\":\"2026-01-02T03:04:05.678Z\"",
                        "\"displayName\":\"Alice A\"");
    }

    @Test
    void users_of_a_hanko_export_sign_in() throws IOException {
        List<String> users = hanko();

        imported(documented("--from hanko", "users.jsonl", users), 2);
        ImportedUsers.signIn(target, people);
        assertThat(run("export", "-").out()).contains("\"user\":\"bob@example.com\"", "\"name\":\"my key\"");
    }

    @Test
    void second_factors_and_disabled_users_are_skipped_and_reported() throws IOException {
        List<String> keycloak = keycloak();
        keycloak.set(0, keycloak.get(0).replace("webauthn-passwordless", "webauthn"));
        keycloak.set(1, keycloak.get(1).replace("\"enabled\":true", "\"enabled\":false"));
        List<String> hanko = hanko();
        hanko.set(0, hanko.get(0).replace("\"mfa_only\":false", "\"mfa_only\":true"));

        assertThat(run("import", "--from", "keycloak", write(keycloak)))
                .isEqualTo(new CliRun(
                        0,
                        "imported 0 passkeys and 0 users; 0 passkeys already existed\n",
                        "Skipped: line 1, credential 1: only a second factor in Keycloak\n"
                                + "Skipped: line 2, credential 1: the user is disabled in Keycloak\n" + NAMES));
        CliRun run = run("import", "--from", "hanko", write(hanko));
        assertThat(run.out()).startsWith("imported 1 passkey");
        assertThat(run.err()).isEqualTo("Skipped: line 1, credential 1: only a second factor in Hanko\n" + NAMES);
    }

    @Test
    void an_invalid_row_stops_the_import_unless_skipping_is_allowed() throws IOException {
        List<String> rows = new ArrayList<>(simpleWebAuthn());
        rows.add(1, "{\"id\":");
        rows.add(2, rows.get(0).replace("\"counter\":", "\"count\":"));
        rows.add(3, " ".repeat(70_000));
        rows.add(4, rows.get(0).replace("singleDevice", "noDevice"));
        rows.add(5, rows.get(0).replaceFirst("\"publicKey\":\\{[^}]*}", "\"publicKey\":{\"0\":300}"));
        String file = write(rows);

        CliRun refused = run("import", "--from", "simplewebauthn", file);
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("line 2: ");
        assertThat(run("export", "-").out()).contains("\"passkeys\":0");

        CliRun skipped = run("import", "--skip-invalid", "--from", "simplewebauthn", file);
        assertThat(skipped.status()).as(skipped.err()).isZero();
        assertThat(skipped.out()).startsWith("imported 3 passkeys and 3 users");
        assertThat(skipped.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Skipped: line 2: "),
                        line -> assertThat(line).isEqualTo("Skipped: line 3: count: unknown member"),
                        line -> assertThat(line).isEqualTo("Skipped: line 4: longer than 65536 characters"),
                        line -> assertThat(line)
                                .isEqualTo("Skipped: line 5: deviceType: must be singleDevice or multiDevice"),
                        line -> assertThat(line).isEqualTo("Skipped: line 6: publicKey: not bytes"),
                        line -> assertThat(line + '\n').isEqualTo(NAMES));
        ImportedUsers.signIn(target, people);
    }

    @Test
    void an_invalid_credential_does_not_affect_others_of_the_user() throws IOException {
        List<String> users = keycloak();
        String broken = "{\"type\":\"webauthn-passwordless\",\"credentialData\":\"{}\"},";
        users.set(0, users.get(0).replace("\"credentials\":[", "\"credentials\":[" + broken));

        CliRun run = run("import", "--skip-invalid", "--from", "keycloak", write(users));

        assertThat(run.out()).startsWith("imported 2 passkeys and 2 users");
        assertThat(run.err())
                .isEqualTo("Skipped: line 1, credential 1: credentialData.credentialId: missing\n" + NAMES);
        ImportedUsers.signIn(target, people);
    }

    @Test
    void a_file_of_another_format_is_refused() throws IOException {
        String file = write(simpleWebAuthn());
        String error = "Error: all lines: %scredentials: missing. Check the format of the file.\n";

        assertThat(run("import", "--from", "keycloak", file)).isEqualTo(new CliRun(1, "", error.formatted("")));
        assertThat(run("import", "--from", "hanko", file)).isEqualTo(new CliRun(1, "", error.formatted("webauthn_")));
    }

    /** Rows that SimpleWebAuthn 14 created, and the authenticators that hold their private keys. */
    private List<String> simpleWebAuthn() throws IOException {
        for (String line : resource("simplewebauthn-authenticators.jsonl")) {
            JsonObject stored = JsonObject.parse(line);
            people.put(
                    stored.objects("passkeys").get(0).string("userName"),
                    SoftAuthenticator.securityKey().restore(line));
        }
        return resource("simplewebauthn.jsonl");
    }

    /** Users that Keycloak's own classes wrote. */
    private List<String> keycloak() {
        Webauthn4jOracle old = new Webauthn4jOracle("localhost", ORIGIN, AttestationLevel.VERIFIED, Set.of());
        register("alice", Octets.utf8(ALICE), SoftAuthenticator.securityKey(), old::register);
        register("bob", Octets.utf8(BOB), SoftAuthenticator.syncedPasskeys(), old::register);
        List<String> users = new ArrayList<>(old.keycloakUsers());
        users.sort(null);
        return users;
    }

    private List<String> hanko() {
        List<String> users = new ArrayList<>();
        users.add(hanko("alice", ALICE, SoftAuthenticator.securityKey())
                .put("username", "alice")
                .toString());
        users.add(hanko("bob@example.com", BOB, SoftAuthenticator.syncedPasskeys())
                .toString());
        return users;
    }

    /** An entry with the members of Hanko's published schema; its optional members are null for alice. */
    private JsonObject hanko(String name, String id, SoftAuthenticator authenticator) {
        YubicoOracle parser = new YubicoOracle("localhost", ORIGIN, AttestationLevel.VERIFIED, Set.of());
        register(name, HexFormat.of().parseHex(id.replace("-", "")), authenticator, parser::register);
        JsonObject stored = JsonObject.parse(parser.storedCredentials().get(0));
        JsonObject credential = new JsonObject()
                .put("id", stored.string("credentialId"))
                .put("name", name.startsWith("bob") ? "my key" : null)
                .put("public_key", stored.string("publicKeyCose"))
                .put("attestation_type", "none")
                .put("aaguid", "00000000-0000-0000-0000-000000000000")
                .put("sign_count", name.startsWith("bob") ? stored.integer("signatureCount") : null)
                .put("last_used_at", null)
                .put("created_at", "2024-08-17T12:05:15.651387237Z")
                .put("updated_at", "2024-08-17T12:05:15.651387237Z")
                .put("transports", name.startsWith("bob") ? List.of("internal", "hybrid") : null)
                .put("backup_eligible", name.startsWith("bob"))
                .put("backup_state", name.startsWith("bob"))
                .put("mfa_only", false)
                .put("user_handle", null);
        JsonObject email = new JsonObject()
                .put("address", name.contains("@") ? name : name + "@example.com")
                .put("is_primary", true)
                .put("is_verified", true);
        return new JsonObject()
                .put("user_id", id)
                .put("emails", List.of(email))
                .put("webauthn_credentials", List.of(credential))
                .put("password", null)
                .put("otp_secret", null)
                .put("created_at", "2024-08-17T12:05:15.651387237Z")
                .put("updated_at", "2024-08-17T12:05:15.651387237Z");
    }

    private interface Library {
        Object register(String options, String response);
    }

    private void register(String name, byte[] handle, SoftAuthenticator authenticator, Library library) {
        String options = new JsonObject()
                .put("rp", new JsonObject().put("id", "localhost").put("name", "The old one"))
                .put(
                        "user",
                        new JsonObject()
                                .put("id", Octets.base64Url(handle))
                                .put("name", name)
                                .put("displayName", name.equals("alice") ? "Alice A" : name))
                .put("challenge", Octets.base64Url(Octets.sha256(Octets.utf8("a challenge for " + name))))
                .put(
                        "pubKeyCredParams",
                        List.of(new JsonObject().put("type", "public-key").put("alg", -7)))
                .put("excludeCredentials", List.of())
                .put("authenticatorSelection", new JsonObject().put("residentKey", "required"))
                .put("attestation", "none")
                .toString();
        library.register(options, new SoftBrowser(ORIGIN, authenticator).create(options));
        people.put(name, authenticator);
    }

    private static void imported(CliRun run, int passkeys) {
        assertThat(run)
                .isEqualTo(new CliRun(
                        0,
                        "imported " + passkeys + " passkeys and " + passkeys + " users; 0 passkeys already existed\n",
                        ""));
    }

    /** Runs the documented command that contains this text, on these lines instead of its file. */
    private CliRun documented(String containing, String file, List<String> lines) throws IOException {
        String line = Files.readString(PAGE)
                .lines()
                .filter(it -> it.startsWith("RP_ORIGIN=") && it.contains(containing))
                .findFirst()
                .orElseThrow();
        assertThat(line).endsWith(' ' + file);
        String[] words = line.replace(file, write(lines)).split(" ", -1);
        return run(List.of(words).subList(2, words.length).toArray(String[]::new));
    }

    private CliRun run(String... arguments) {
        return CliRun.of(
                Map.of(
                        "DATABASE_URL",
                        target,
                        "DATA_DIR",
                        directory.resolve("data").toString(),
                        "SESSION_SECRET",
                        Service.SECRET,
                        "RP_ORIGIN",
                        ORIGIN),
                arguments);
    }

    private String write(List<String> lines) throws IOException {
        Path file = Files.createTempFile(directory, "lines", ".jsonl");
        return Files.writeString(file, String.join("\n", lines) + "\n").toString();
    }

    private static List<String> resource(String name) throws IOException {
        try (var in = Objects.requireNonNull(ImportFormatsTest.class.getResourceAsStream("/imports/" + name), name)) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        }
    }
}
