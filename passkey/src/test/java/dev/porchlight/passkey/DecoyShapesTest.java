// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.cose.KeyType;
import dev.porchlight.passkey.decoy.DecoyTables;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.passkey.store.PasskeyShapes;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlPasskeyShapes;
import dev.porchlight.testkit.SoftAuthenticator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Decoys have the same shapes as stored passkeys (T42). */
@Tag("slow")
class DecoyShapesTest {
    private final TestClock clock = new TestClock();
    private HikariDataSource pool;
    private SqlCredentialStore passkeys;
    private Counting shapes;
    private PasskeyService service;

    @BeforeEach
    void open() {
        pool = TestDatabase.SQLITE.fresh();
        Migration.run(pool);
        passkeys = new SqlCredentialStore(pool);
        shapes = new Counting(new SqlPasskeyShapes(new Sql(pool)));
        service = instance();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void T42_decoys_have_the_shapes_of_the_stored_passkeys_and_no_others() {
        add("alice", 17, "usb");
        add("bob", 32);
        add("carol", 64, "ble", "nfc", "usb");
        add("carol", 32);
        add("carol", 32);
        add("carol", 32, "new-one");

        refresh();

        assertThat(kinds(service)).containsExactlyInAnyOrder("17[usb]", "32[]", "64[ble, nfc, usb]", "32[new-one]");
        assertThat(counts(service)).containsExactlyInAnyOrder(1, 4);
    }

    @Test
    void T42_decoys_adopt_a_new_shape_within_seconds() {
        var browser =
                Stage.browser(SoftAuthenticator.builder().transports("usb").build());
        String options = service.startRegistration("alice").toJson();
        assertThat(service.finishRegistration("alice", browser.create(options)).registered())
                .isTrue();

        clock.advance(Duration.ofMillis(DecoyTables.ANNOUNCED_MILLIS));
        String shown =
                kind(service.startAuthentication("alice").allowCredentials().get(0));
        assertThat(shown).endsWith("[usb]");
        assertThat(kinds(service)).containsExactly(shown);
    }

    @Test
    void T42_a_rare_shape_changes_few_decoys_and_these_have_other_ids() {
        IntStream.range(0, 60).forEach(i -> add("phone" + i, 20, "hybrid", "internal"));
        IntStream.range(0, 30).forEach(i -> add("laptop" + i, 32, "internal"));
        refresh();
        List<List<CredentialDescriptor>> before = unknown(service);

        add("alice", 48, "usb");
        look();
        List<List<CredentialDescriptor>> after = unknown(service);

        assertThat(kinds(service)).contains("48[usb]");
        List<Integer> changed = IntStream.range(0, before.size())
                .filter(i -> !before.get(i).equals(after.get(i)))
                .boxed()
                .toList();
        assertThat(changed).hasSizeBetween(1, before.size() / 25);
        assertThat(changed)
                .allSatisfy(i -> assertThat(ids(after.get(i))).doesNotContainAnyElementsOf(ids(before.get(i))));
    }

    @Test
    void T42_a_new_shape_that_a_sample_of_many_passkeys_misses_is_adopted() {
        Random random = new Random(1);
        new Sql(pool).transaction("fill", connection -> {
            for (int i = 0; i < 5_000; i++) {
                byte[] id = new byte[20];
                random.nextBytes(id);
                SqlCredentialStore.add(connection, passkey("user" + i, id, "internal"), 20);
            }
            return 0;
        });
        refresh();
        for (int i = 0; i < 6; i++) { // the sample has one of five
            String options = service.startRegistration("rare user").toJson();
            var browser = Stage.browser(
                    SoftAuthenticator.builder().transports("rare" + i).build());
            assertThat(service.finishRegistration("rare user", browser.create(options))
                            .registered())
                    .isTrue();
            clock.advance(Duration.ofMillis(DecoyTables.ANNOUNCED_MILLIS));
        }

        String[] saved = shapes.saved().split("\n", -1); // the present table, and the next one: counts and kinds
        assertThat(saved[3]).contains("1*", "2*", "3*", "4*", "5*", "6*");
        assertThat(saved[4]).contains("rare0", "rare1", "rare2", "rare3", "rare4", "rare5");
    }

    @Test
    void T42_an_imported_shape_that_a_sample_of_many_passkeys_misses_is_adopted() throws Exception {
        String key = KeyType.of(CredentialAlgorithm.ES256).decoy().toJwk();
        Random random = new Random(1);
        try (PasskeyImport target = PasskeyImport.into(pool)) {
            for (int i = 0; i < 3_000; i++) {
                byte[] id = new byte[20];
                random.nextBytes(id);
                CredentialRecord passkey = passkey("user" + i, id, i % 1_000 == 500 ? "rare" + i : "internal");
                target.add(
                        CredentialRecord.of(passkey.credentialId(), passkey.userId(), key, 0, Stage.ORIGIN)
                                .withAuthenticator(passkey.authenticator()),
                        "");
            }
            target.finish();
        }
        refresh();
        assertThat(shapes.saved()).contains("rare500", "rare1500", "rare2500");
        assertThat(shapes.imported()).isEmpty();
    }

    @Test
    void T42_decoys_do_not_change_when_passkeys_are_removed() {
        add("alice", 48, "usb");
        add("bob", 32, "internal");
        refresh();
        List<List<CredentialDescriptor>> before = unknown(service);

        passkeys.list("alice").forEach(passkey -> passkeys.remove("alice", passkey.credentialId(), true));
        look();

        assertThat(unknown(service)).isEqualTo(before);
    }

    @Test
    void T42_instances_have_the_same_decoys_at_all_times() {
        PasskeyService other = instance();
        List<List<CredentialDescriptor>> common = unknown(service);
        assertThat(unknown(other)).as("nothing saved yet").isEqualTo(common);
        add("alice", 48, "usb");
        clock.advance(Duration.ofHours(1));
        service.refreshDecoys();
        assertThat(List.of(unknown(service), unknown(other))).containsOnly(common);
        clock.advance(Duration.ofMillis(DecoyTables.ANNOUNCED_MILLIS - 1));
        assertThat(List.of(unknown(service), unknown(other))).containsOnly(common);
        clock.advance(Duration.ofMillis(1));
        List<List<CredentialDescriptor>> first = unknown(other);
        assertThat(first).isEqualTo(unknown(service)).isNotEqualTo(common);

        register("bob");
        for (int seconds = 0; seconds < 10; seconds++) {
            assertThat(unknown(other)).isEqualTo(unknown(service));
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(unknown(other)).isNotEqualTo(first);
    }

    @Test
    void T42_an_instance_without_requests_knows_a_change_that_it_has_not_read() {
        PasskeyService idle = instance();
        unknown(idle);
        add("alice", 48, "usb");

        refresh();

        assertThat(unknown(idle)).isEqualTo(unknown(service));
        shapes.fails = true;
        clock.advance(Duration.ofMillis(DecoyTables.ANNOUNCED_MILLIS));
        assertThat(unknown(idle)).as("without the database").isEqualTo(unknown(service));
    }

    @Test
    void login_options_read_the_table_once_and_then_once_a_second() {
        add("alice", 48, "usb");
        refresh();
        unknown(service);
        shapes.calls.clear();

        unknown(service);
        assertThat(shapes.calls).isEmpty();
        clock.advance(Duration.ofMillis(DecoyTables.READ_MILLIS));
        unknown(service);
        assertThat(shapes.calls).containsExactly("saved");
    }

    @Test
    void passkeys_are_sampled_at_most_every_two_seconds() {
        add("alice", 48, "usb");
        refresh();
        register("first");
        shapes.calls.clear();

        for (int i = 0; i < 10; i++) {
            register("user" + i);
        }
        assertThat(shapes.calls).doesNotContain("sample");

        clock.advance(Duration.ofMillis(DecoyTables.ANNOUNCED_MILLIS)); // one change at a time
        service.startAuthentication("anyone");
        assertThat(shapes.calls).containsOnlyOnce("sample");
        service.startAuthentication("anyone");
        assertThat(shapes.calls).containsOnlyOnce("sample");
    }

    @Test
    void closing_a_service_waits_for_its_work_in_the_background_and_ends_it() throws Exception {
        add("alice", 48, "usb");
        refresh();
        PasskeyService embedded = builder().build();
        unknown(embedded);
        clock.advance(Duration.ofMillis(DecoyTables.READ_MILLIS));
        shapes.reading = new CountDownLatch(1);
        embedded.startAuthentication("anyone"); // reads in the background

        Thread closing = new Thread(embedded::close);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING && closing.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(closing.isAlive()).isTrue();
        shapes.reading.countDown();
        closing.join();

        shapes.calls.clear();
        clock.advance(Duration.ofMillis(DecoyTables.READ_MILLIS));
        embedded.startAuthentication("anyone");
        assertThat(shapes.calls).isEmpty();
    }

    @Test
    void a_database_failure_in_the_background_does_not_change_decoys() {
        add("alice", 48, "usb");
        refresh();
        List<List<CredentialDescriptor>> before = unknown(service);

        shapes.fails = true;
        clock.advance(Duration.ofMillis(DecoyTables.READ_MILLIS));

        assertThat(unknown(service)).isEqualTo(before);
        register("bob");
    }

    @Test
    void a_saved_table_that_cannot_be_read_is_replaced() {
        add("alice", 48, "usb");
        new Sql(pool).update("INSERT INTO passkey_decoy (name, shapes) VALUES ('shapes', 'by hand')");

        refresh();

        assertThat(kinds(service)).containsExactly("48[usb]");
        assertThat(new SqlPasskeyShapes(new Sql(pool)).saved()).contains("48:usb*256");
    }

    private void look() {
        clock.advance(Duration.ofHours(1));
        refresh();
    }

    /** Samples the passkeys, and waits until the change counts. */
    private void refresh() {
        service.refreshDecoys();
        clock.advance(Duration.ofMillis(DecoyTables.ANNOUNCED_MILLIS));
    }

    private PasskeyService instance() {
        return builder().background(Runnable::run).build();
    }

    private PasskeyServiceBuilder builder() {
        return PasskeyService.builder(Stage.config(), pool)
                .credentialStore(passkeys)
                .passkeyShapes(shapes)
                .sealedChallenges(Stage.KEY)
                .decoyKey("a key of decoys, of thirty-two b".getBytes(UTF_8))
                .clock(clock);
    }

    private void register(String userId) {
        String options = service.startRegistration(userId).toJson();
        assertThat(service.finishRegistration(userId, Stage.browser().create(options))
                        .registered())
                .isTrue();
    }

    private int added;

    private void add(String userId, int idBytes, String... transports) {
        byte[] id = new byte[idBytes];
        Arrays.fill(id, (byte) ++added);
        passkeys.add(passkey(userId, id, transports), 20);
    }

    private static CredentialRecord passkey(String userId, byte[] id, String... transports) {
        return CredentialRecord.of(
                        Base64.getUrlEncoder().withoutPadding().encodeToString(id), userId, "{jwk}", 0, Stage.ORIGIN)
                .withAuthenticator(new CredentialRecord.Authenticator(List.of(transports), null, null, null));
    }

    private static List<List<CredentialDescriptor>> unknown(PasskeyService service) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> service.startAuthentication("unknown" + i).allowCredentials())
                .toList();
    }

    private static Set<String> kinds(PasskeyService service) {
        Set<String> kinds = new HashSet<>();
        unknown(service).forEach(list -> list.forEach(passkey -> kinds.add(kind(passkey))));
        return kinds;
    }

    private static Set<Integer> counts(PasskeyService service) {
        Set<Integer> counts = new HashSet<>();
        unknown(service).forEach(list -> counts.add(list.size()));
        return counts;
    }

    private static String kind(CredentialDescriptor passkey) {
        return Base64.getUrlDecoder().decode(passkey.id()).length
                + passkey.transports().toString();
    }

    private static List<String> ids(List<CredentialDescriptor> list) {
        return list.stream().map(CredentialDescriptor::id).toList();
    }

    /** Wraps the real shapes and records the calls. */
    private static final class Counting implements PasskeyShapes {
        private final PasskeyShapes real;
        private final List<String> calls = new ArrayList<>();
        private boolean fails;
        private volatile CountDownLatch reading = new CountDownLatch(0);

        Counting(PasskeyShapes real) {
            this.real = real;
        }

        @Override
        public List<Shape> sample(List<String> startingIds, int most) {
            called(most < 1_000 ? "new passkeys" : "sample");
            return real.sample(startingIds, most);
        }

        @Override
        public String saved() {
            called("saved");
            return real.saved();
        }

        @Override
        public boolean save(String expected, String next) {
            called("save");
            return real.save(expected, next);
        }

        @Override
        public List<String> imported() {
            return real.imported();
        }

        @Override
        public void adopted(List<String> ids) {
            real.adopted(ids);
        }

        private void called(String method) {
            calls.add(method);
            try {
                reading.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (fails) {
                throw new StorageException("gone");
            }
        }
    }
}
