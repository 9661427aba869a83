// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Race;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.passkey.cose.KeyType;
import dev.porchlight.passkey.store.PasskeyShapes.Shape;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
@TestInstance(Lifecycle.PER_CLASS)
class SqlPasskeyShapesTest {
    private static final String ADD = "INSERT INTO passkey_credential"
            + " (credential_id, user_id, public_key, origin, transports) VALUES (?, ?, ?, '', ?)";

    @Parameter
    TestDatabase database;

    private HikariDataSource pool;
    private Sql sql;
    private PasskeyShapes shapes;

    @BeforeParameterizedClassInvocation
    void migrate() {
        pool = database.fresh();
        sql = new Sql(pool);
        Migration.run(pool);
        shapes = new SqlPasskeyShapes(sql);
    }

    @BeforeEach
    void empty() {
        sql.update("DELETE FROM passkey_credential");
        sql.update("DELETE FROM passkey_decoy");
    }

    @AfterParameterizedClassInvocation
    void close() {
        if (pool != null) {
            pool.close();
        }
    }

    @Test
    void a_small_sample_has_every_passkey() {
        sql.update(ADD, id(16, 1), "alice", "", "internal,hybrid");
        sql.update(
                ADD,
                id(17, 2),
                "bob",
                KeyType.of(CredentialAlgorithm.RS256).decoy().toJwk(),
                null);
        sql.update(
                ADD,
                id(1023, 3),
                "bob",
                KeyType.of(CredentialAlgorithm.ML_DSA_44).decoy().toJwk(),
                "usb");

        assertThat(shapes.sample(List.of("a", "b"), 3))
                .containsExactlyInAnyOrder(
                        new Shape(16, List.of("internal", "hybrid"), 1, CredentialAlgorithm.ES256),
                        new Shape(17, List.of(), 2, CredentialAlgorithm.RS256),
                        new Shape(1023, List.of("usb"), 2, CredentialAlgorithm.ML_DSA_44));
    }

    @Test
    void a_large_sample_follows_the_given_ids() {
        sql.transaction("fill", connection -> {
            for (int i = 0; i < 3_000; i++) {
                Sql.update(connection, ADD, id(32, i), "user" + i, "", i % 4 == 0 ? "usb" : "internal");
            }
            return 0;
        });
        List<String> starts = List.of("0", "B", "K", "T", "c", "m");

        List<Shape> sample = shapes.sample(starts, 600);

        assertThat(sample).hasSize(600).isEqualTo(shapes.sample(starts, 600));
        assertThat(sample.stream().filter(shape -> shape.transports().equals(List.of("usb"))))
                .hasSizeBetween(100, 200);
    }

    @Test
    void a_table_is_saved_if_the_expected_one_is_stored() {
        assertThat(shapes.saved()).isNull();
        assertThat(shapes.save(null, "one")).isTrue();
        assertThat(shapes.save(null, "two")).isFalse();
        assertThat(shapes.save("other", "two")).isFalse();
        assertThat(shapes.save("one", "two")).isTrue();
        assertThat(shapes.saved()).isEqualTo("two");
    }

    @Test
    void one_of_16_concurrent_saves_succeeds() {
        try (Race race = new Race(16)) {
            for (String before : new String[] {null, "first"}) {
                var number = new AtomicInteger();
                String next = before == null ? "first" : "second";
                assertThat(race.run(() -> shapes.save(before, before == null ? next : next + number.incrementAndGet())))
                        .containsOnlyOnce(true);
            }
        }
    }

    @Test
    void an_import_leaves_a_passkey_of_each_shape_until_a_table_has_it() throws ImportConflictException {
        assertThat(shapes.imported()).isEmpty();
        try (PasskeyImport target =
                PasskeyImport.into(pool, List.of(CredentialAlgorithm.values()), ImportScreening.NONE)) {
            for (int i = 0; i < 40; i++) {
                target.add(passkey(i, i == 7 ? "alone" : "user" + i / 3, CredentialAlgorithm.ES256, "usb"), "");
            }
            target.add(passkey(100, "alice", CredentialAlgorithm.RS256, "usb"), "");
            target.add(passkey(101, "bob", CredentialAlgorithm.ES256, "rare"), "");
            target.finish();
        }
        List<String> ids = shapes.imported();
        assertThat(ids).hasSizeLessThan(10);
        assertThat(ids.stream().flatMap(it -> shapes.sample(List.of(it), 1).stream()))
                .contains(
                        new Shape(32, List.of("usb"), 1, CredentialAlgorithm.RS256),
                        new Shape(32, List.of("rare"), 1, CredentialAlgorithm.ES256),
                        new Shape(32, List.of("usb"), 2, CredentialAlgorithm.ES256),
                        new Shape(32, List.of("usb"), 3, CredentialAlgorithm.ES256));

        shapes.adopted(List.of("of another import"));
        assertThat(shapes.imported()).isEqualTo(ids);
        shapes.adopted(ids);
        assertThat(shapes.imported()).isEmpty();
    }

    private static CredentialRecord passkey(int seed, String user, CredentialAlgorithm algorithm, String transport) {
        return CredentialRecord.of(
                        id(32, seed), user, KeyType.of(algorithm).decoy().toJwk(), 0, "https://example.com")
                .withAuthenticator(new CredentialRecord.Authenticator(List.of(transport), null, null, null));
    }

    private static String id(int bytes, int seed) {
        byte[] id = new byte[bytes];
        new Random(seed).nextBytes(id);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    }
}
