// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.oracles.AttestationLevel;
import dev.porchlight.oracles.Webauthn4jOracle;
import dev.porchlight.oracles.YubicoOracle;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Passkeys registered with another library sign in here, unnoticed by their users. */
class MovingTest {
    private static final String ORIGIN = "http://localhost";
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @TempDir
    Path directory;

    private String target;
    private final Map<String, SoftAuthenticator> people =
            Map.of("alice", SoftAuthenticator.securityKey(), "bøb", SoftAuthenticator.syncedPasskeys());

    @BeforeEach
    void an_empty_database() {
        target = TestDatabase.SQLITE.freshUrl();
    }

    @Test
    void passkeys_of_yubicos_library_sign_in() throws Exception {
        YubicoOracle old = new YubicoOracle("localhost", ORIGIN, AttestationLevel.VERIFIED, Set.of());
        people.forEach((name, authenticator) -> {
            String options = creation(name, -7);
            assertThat(old.register(options, browser(authenticator).create(options))
                            .reason())
                    .isEqualTo("accepted");
        });

        imported(documented("--from yubico", "credentials.jsonl", write(old.storedCredentials())));
        ImportedUsers.signIn(target, people);
    }

    @Test
    void passkeys_from_the_documented_query_sign_in() throws Exception {
        YubicoOracle old = new YubicoOracle("localhost", ORIGIN, AttestationLevel.VERIFIED, Set.of());
        people.forEach((name, authenticator) -> {
            String options = creation(name, -7);
            old.register(options, browser(authenticator).create(options));
        });
        List<String> lines = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(TestDatabase.POSTGRES.freshUrl());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("create table users (id int, username text, user_handle bytea)");
            statement.executeUpdate("create table credentials (user_id int, credential_id bytea, public_key_cose bytea,"
                    + " signature_count bigint)");
            int id = 0;
            for (String line : old.storedCredentials()) {
                JsonObject stored = JsonObject.parse(line);
                Object[] user = {++id, stored.string("username"), stored.octets("userHandle")};
                Object[] credential = {
                    id, stored.octets("credentialId"), stored.octets("publicKeyCose"), stored.integer("signatureCount")
                };
                insert(connection, "insert into users values (?, ?, ?)", user);
                insert(connection, "insert into credentials values (?, ?, ?, ?)", credential);
            }
            String query = Files.readString(ROOT.resolve("docs/guides/moving-passkeys.md"))
                    .split("```sql\n|```\n(?=\nOptional)", -1)[1];
            try (ResultSet rows = statement.executeQuery(query)) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
        }

        imported(run("import", "--from", "yubico", write(lines)));
        ImportedUsers.signIn(target, people);
    }

    @Test
    void passkeys_of_webauthn4j_sign_in() throws Exception {
        Webauthn4jOracle old = new Webauthn4jOracle("localhost", ORIGIN, AttestationLevel.VERIFIED, Set.of());
        people.forEach((name, authenticator) -> {
            String options = creation(name, -7);
            assertThat(old.register(options, browser(authenticator).create(options))
                            .reason())
                    .isEqualTo("accepted");
        });

        imported(documented("--from webauthn4j", "credentials.jsonl", write(old.storedCredentials())));
        ImportedUsers.signIn(target, people);
    }

    @ParameterizedTest
    @EnumSource
    void passkeys_of_spring_security_sign_in(TestDatabase database) throws Exception {
        String spring = database.freshUrl();
        springTables(spring, database);

        imported(documented("--from spring", "postgres://reader:secret@db.example.com/app", spring));
        ImportedUsers.signIn(target, people);
        List<String> lines = run("export", "-").out().lines().toList();
        assertThat(lines.toString())
                .contains("\"createdAt\":\"2026-01-02T03:04:05Z\"")
                .contains("\"name\":\"the label\"")
                .contains("\"attestationFormat\":\"none\"")
                .contains("\"userVerified\":true");
    }

    @Test
    void passkeys_move_from_sqlite_to_postgresql() throws Exception {
        String sqlite = target;
        target = TestDatabase.POSTGRES.freshUrl();
        String file = directory.resolve("passkeys.jsonl").toString();
        try (Service old = Service.at(sqlite)) {
            people.forEach(
                    (name, authenticator) -> old.person(name, authenticator).enroll());
        }

        CliRun export = documented("export", "jdbc:sqlite:data/porchlight.db", sqlite, "passkeys.jsonl", file);
        assertThat(export.status()).as(export.err()).isZero();
        imported(documented(
                "import passkeys",
                "postgres://porchlight:secret@db.example.com/porchlight",
                target,
                "passkeys.jsonl",
                file));
        ImportedUsers.signIn(target, people);
    }

    @Test
    void passkeys_with_another_algorithm_are_refused_or_skipped() throws Exception {
        YubicoOracle old = new YubicoOracle("localhost", ORIGIN, AttestationLevel.VERIFIED, Set.of());
        people.forEach((name, authenticator) -> {
            String options = creation(name, -7);
            old.register(options, browser(authenticator).create(options));
        });
        registerRsa("carol", old);
        String file = write(old.storedCredentials());

        CliRun refused = run("import", "--from", "yubico", file);
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err())
                .containsPattern("line \\d: the algorithm -257 is not in ALGORITHMS")
                .contains("--skip-unsupported");
        assertThat(run("export", "-").out()).contains("\"passkeys\":0");

        CliRun skipped = run("import", "--skip-unsupported", "--from", "yubico", file);
        assertThat(skipped.status()).isZero();
        assertThat(skipped.err())
                .contains(
                        "Skipped passkeys whose algorithm is not in ALGORITHMS: 1.",
                        "The names of skipped users are not taken");
        ImportedUsers.signIn(target, people);
    }

    @Test
    void an_rsa_passkey_signs_in_if_its_algorithm_is_allowed() throws Exception {
        YubicoOracle old = new YubicoOracle("localhost", ORIGIN, AttestationLevel.VERIFIED, Set.of());
        SoftAuthenticator windows = registerRsa("carol", old);
        Map<String, String> both = new HashMap<>(variables());
        both.put("ALGORITHMS", "ES256,RS256");

        CliRun run = CliRun.of(both, "import", "--from", "yubico", write(old.storedCredentials()));
        assertThat(run).isEqualTo(new CliRun(0, "imported 1 passkey and 1 user; 0 passkeys already existed\n", ""));
        ImportedUsers.signIn(target, Map.of("carol", windows));

        List<String> exported = CliRun.of(both, "export", "-").out().lines().toList();
        assertThat(exported.toString()).contains("\"kty\":\"RSA\"");
        target = TestDatabase.SQLITE.freshUrl();
        both.put("DATABASE_URL", target);
        assertThat(CliRun.of(both, "import", write(exported)).status()).isZero();
        ImportedUsers.signIn(target, Map.of("carol", windows));
    }

    @Test
    void an_invalid_import_line_is_named() throws Exception {
        for (String line : List.of(
                "{\"username\":\"alice\"}",
                "{\"username\":\"alice\",\"credentialId\":\"AAAA\",\"publicKeyCose\":\"AAAA\",\"signatureCount\":0}",
                "{\"username\":\"alice\",\"credentialId\":\"AAAA\",\"publicKeyCose\":\"oA\",\"signatureCount\":0}",
                "[]")) {
            CliRun run = run("import", "--from", "yubico", write(List.of(line)));
            assertThat(run.status()).as(line).isEqualTo(1);
            assertThat(run.err()).contains("line 1: ");
        }
        assertThat(run("import", "--from", "spring", "--database", target).err())
                .contains("Spring Security's tables could not be read");
    }

    /** Registers an RSA passkey with the other library and returns the authenticator. */
    private static SoftAuthenticator registerRsa(String name, YubicoOracle old) {
        String options = creation(name, KeyAlgorithm.RS256.cose());
        SoftAuthenticator windows = SoftAuthenticator.builder()
                .algorithms(KeyAlgorithm.RS256.cose())
                .build();
        assertThat(old.register(options, browser(windows).create(options)).reason())
                .isEqualTo("accepted");
        return windows;
    }

    private void imported(CliRun run) {
        assertThat(run).isEqualTo(new CliRun(0, "imported 2 passkeys and 2 users; 0 passkeys already existed\n", ""));
    }

    /** The tables of Spring Security 6.5's own scripts, for both databases. */
    private void springTables(String url, TestDatabase database) throws SQLException {
        String bytes = database != TestDatabase.SQLITE ? "bytea" : "blob";
        try (Connection connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.executeUpdate("create table user_entities (id varchar(1000) not null, name varchar(100) not null,"
                    + " display_name varchar(200), primary key (id))");
            statement.executeUpdate("create table user_credentials (credential_id varchar(1000) not null,"
                    + " user_entity_user_id varchar(1000) not null, public_key " + bytes + " not null,"
                    + " signature_count bigint, uv_initialized boolean, backup_eligible boolean not null,"
                    + " authenticator_transports varchar(1000), public_key_credential_type varchar(100),"
                    + " backup_state boolean not null, attestation_object " + bytes + ","
                    + " attestation_client_data_json " + bytes + ", created timestamp, last_used timestamp,"
                    + " label varchar(1000) not null, primary key (credential_id))");
            for (Map.Entry<String, SoftAuthenticator> person : people.entrySet()) {
                String options = creation(person.getKey(), -7);
                springRow(
                        connection,
                        person.getKey(),
                        JsonObject.parse(browser(person.getValue()).create(options)));
            }
        }
    }

    private static void springRow(Connection connection, String name, JsonObject created) throws SQLException {
        YubicoOracle parser = new YubicoOracle("localhost", ORIGIN, AttestationLevel.VERIFIED, Set.of());
        parser.register(creation(name, -7), created.toString());
        JsonObject stored = JsonObject.parse(parser.storedCredentials().get(0));
        try (PreparedStatement user = connection.prepareStatement("insert into user_entities values (?, ?, ?)");
                PreparedStatement row = connection.prepareStatement(
                        "insert into user_credentials values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            user.setString(1, handle(name));
            user.setString(2, name);
            user.setString(3, "Called " + name);
            user.executeUpdate();
            row.setString(1, created.string("id"));
            row.setString(2, handle(name));
            row.setBytes(3, decode(stored.string("publicKeyCose")));
            row.setLong(4, stored.integer("signatureCount"));
            row.setBoolean(5, true);
            row.setBoolean(6, name.equals("bøb"));
            row.setString(7, "internal,hybrid");
            row.setString(8, "public-key");
            row.setBoolean(9, name.equals("bøb"));
            row.setBytes(10, decode(created.object("response").string("attestationObject")));
            row.setBytes(11, decode(created.object("response").string("clientDataJSON")));
            row.setTimestamp(12, Timestamp.from(Instant.parse("2026-01-02T03:04:05Z")));
            row.setTimestamp(13, null);
            row.setString(14, "the label");
            row.executeUpdate();
        }
    }

    private static void insert(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private static byte[] decode(String text) {
        return Base64.getUrlDecoder().decode(text);
    }

    private static String handle(String name) {
        return Octets.base64Url(Octets.utf8("handle of " + name));
    }

    private static String creation(String user, long algorithm) {
        return new JsonObject()
                .put("rp", new JsonObject().put("id", "localhost").put("name", "The old one"))
                .put(
                        "user",
                        new JsonObject()
                                .put("id", handle(user))
                                .put("name", user)
                                .put("displayName", user))
                .put("challenge", Octets.base64Url(Octets.sha256(Octets.utf8("a challenge for " + user))))
                .put(
                        "pubKeyCredParams",
                        List.of(new JsonObject().put("type", "public-key").put("alg", algorithm)))
                .put("excludeCredentials", List.of())
                .put("authenticatorSelection", new JsonObject().put("residentKey", "required"))
                .put("attestation", "none")
                .put("extensions", new JsonObject().put("credProps", true))
                .toString();
    }

    private static SoftBrowser browser(SoftAuthenticator authenticator) {
        return new SoftBrowser(ORIGIN, authenticator);
    }

    private String write(List<String> lines) throws IOException {
        Path file = Files.createTempFile(directory, "lines", ".jsonl");
        return Files.writeString(file, String.join("\n", new ArrayList<>(lines)) + "\n")
                .toString();
    }

    /** Runs the documented command that contains this text, with some words replaced. */
    private CliRun documented(String containing, String... replacements) throws IOException {
        String line = Files.readString(ROOT.resolve("docs/guides/moving-passkeys.md"))
                .lines()
                .filter(it -> it.matches("[A-Z_]+=\\S+ \\./porchlight .*") && it.contains(containing))
                .findFirst()
                .orElseThrow()
                .replace("https://example.com", ORIGIN);
        for (int i = 0; i < replacements.length; i += 2) {
            assertThat(line).contains(replacements[i]);
            line = line.replace(replacements[i], replacements[i + 1]);
        }
        String[] words = line.split(" ", -1);
        Map<String, String> variables = new HashMap<>(variables());
        String[] variable = words[0].split("=", 2);
        variables.put(variable[0], variable[1]);
        return CliRun.of(variables, Arrays.copyOfRange(words, 2, words.length));
    }

    private CliRun run(String... arguments) {
        return CliRun.of(variables(), arguments);
    }

    private Map<String, String> variables() {
        return Map.of(
                "DATABASE_URL",
                target,
                "DATA_DIR",
                directory.resolve("data").toString(),
                "SESSION_SECRET",
                Service.SECRET,
                "RP_ORIGIN",
                ORIGIN);
    }
}
