// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlTelemetryTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SELECT passkey_credential; SELECT a, (SELECT seal FROM passkey_seal AS s WHERE (s.id) = c.id) FROM passkey_credential c",
                "SELECT passkey_user; select user_id from passkey_user where user_id = ?",
                "SELECT passkey_challenge; SELECT count(*) FROM (SELECT 1 FROM passkey_challenge) AS t",
                "INSERT passkey_schema; INSERT INTO passkey_schema (part) VALUES (?) ON CONFLICT (part) DO NOTHING",
                "UPDATE passkey_credential; UPDATE passkey_credential SET a = (SELECT 1 FROM passkey_seal)",
                "DELETE passkey_seal; DELETE FROM passkey_seal WHERE id IN (SELECT id FROM passkey_credential)",
                "VACUUM; VACUUM",
            })
    void a_statement_is_named_after_its_verb_and_table(String name, String sql) {
        assertThat(SqlTelemetry.name(sql)).isEqualTo(name);
    }
}
