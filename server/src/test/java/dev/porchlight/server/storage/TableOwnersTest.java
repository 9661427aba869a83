// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.Migration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * One class has the statements of a table. The exceptions are statements over several tables, which would be slower apart.
 * Tables of the passkey library are reached through its stores.
 */
class TableOwnersTest {
    private static final Path MAIN =
            Path.of(System.getProperty("porchlight.root"), "server/src/main/java/dev/porchlight/server");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\"\n]*\n", Pattern.DOTALL);
    private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS ([a-z_]+)");

    /** The classes that name a table, the owner first. */
    private static final Map<String, List<String>> OWNERS = Map.ofEntries(
            entry("passkey_credential", List.of("CeremonyBatch", "PasskeyAccess")),
            entry("passkey_used_challenge", List.of("CeremonyBatch", "PartitionedTable")),
            entry("porchlight_audit", List.of("AuditStore", "PartitionedTable")),
            entry("porchlight_audit_anchor", List.of("AnchorPlace")),
            entry("porchlight_audit_checkpoint", List.of("AuditStore")),
            entry("porchlight_audit_head", List.of("AuditStore")),
            entry("porchlight_audit_subject", List.of("AuditSubjects")),
            entry("porchlight_challenge_epoch", List.of("ChallengeEpoch")),
            entry("porchlight_client", List.of("Clients", "Authorizations", "AuditStore", "Consents")),
            entry("porchlight_erased_user", List.of("ErasedUsers")),
            entry("porchlight_failed_ceremony", List.of("FailedCeremonies", "UserDirectory")),
            entry("porchlight_group", List.of("UserGroups")),
            entry("porchlight_group_member", List.of("UserGroups")),
            entry("porchlight_lock", List.of("AuditRetention")),
            entry("porchlight_name", List.of("TakenNames")),
            entry("porchlight_openid_authorization", List.of("Authorizations", "AuthorizationEnds", "Clients")),
            entry("porchlight_openid_consent", List.of("Consents", "Clients", "UserDirectory")),
            entry("porchlight_openid_used", List.of("UsedTokens")),
            entry("porchlight_passkey_source", List.of("PasskeySource")),
            entry("porchlight_removed_passkey", List.of("RemovedPasskeys")),
            entry("porchlight_probe", List.of("Readiness")),
            entry("porchlight_sealed_entry", List.of("SqlSealedEntries", "CeremonyBatch")),
            entry("porchlight_signing_key", List.of("KeyRing", "Authorizations", "StorageCheck")),
            entry("porchlight_stable_key", List.of("StableKeys")),
            entry("porchlight_user_access", List.of("UserAccess", "CeremonyBatch", "PasskeyAccess")));

    @Test
    void each_table_is_named_by_its_owner() throws IOException {
        Map<String, TreeSet<String>> expected = new TreeMap<>();
        OWNERS.forEach((table, classes) -> expected.put(table, new TreeSet<>(classes)));

        assertThat(named()).isEqualTo(expected);
    }

    /** The classes that name each table in their code. */
    private static Map<String, TreeSet<String>> named() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(MAIN)) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        String server = Files.readString(MAIN.resolve("storage/ServerTables.java"));
        List<String> tables = Stream.of(server, Migration.WEBAUTHN_MIGRATION_SQL)
                .flatMap(text -> TABLE.matcher(text).results())
                .map(found -> found.group(1))
                .toList();
        Map<String, TreeSet<String>> named = new TreeMap<>();
        for (Path file : files) {
            String name = file.getFileName().toString().replace(".java", "");
            String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
            for (String table : tables) {
                boolean found =
                        Pattern.compile("\\b" + table + "\\b").matcher(code).find();
                if (found && !name.equals("ServerTables") && !name.equals("UnreadableRows")) {
                    named.computeIfAbsent(table, key -> new TreeSet<>()).add(name);
                }
            }
        }
        return named;
    }
}
