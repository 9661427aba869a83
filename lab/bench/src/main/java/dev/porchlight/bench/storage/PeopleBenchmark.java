// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Section;
import dev.porchlight.server.people.Claims;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.people.UserSearch;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.testkit.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;

/** Searches for users by the beginning of a name or an email address, among a million with profiles. */
public final class PeopleBenchmark implements Benchmark {
    private static final int USERS = Integer.getInteger("porchlight.bench.people", 1_000_000);
    private static final int AT_ONCE = 5_000;
    private static final int SEARCHES = 2_000;
    private static final int WARM_UP = 500;
    private static final int PAGE = 51;
    private static final String NAMES =
            "WITH RECURSIVE users (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM users WHERE n + 1 < ?)"
                    + " INSERT INTO porchlight_name (name, user_id) SELECT 'user-' || n, 'user-' || n FROM users";
    private static final Duration START = Duration.ofMinutes(10);
    private static final String[] SYLLABLES =
            "an ka ri to mel ber lo sa vin dor fe ju ga nor est il wa tu hel mar os pe zi chr".split(" ");

    @Override
    public String name() {
        return "people";
    }

    @Override
    public Section run(int rounds) throws Exception {
        Section section = new Section(
                        name(), String.format(Locale.ROOT, "A page of 50 users by a prefix, among %,d", USERS))
                .columns(2, "database | searched | p50 | p99 | bytes per profile, with indexes");
        Path directory = Files.createTempDirectory("porchlight-bench");
        measure(section, "SQLite", "jdbc:sqlite:" + directory.resolve("bench.db"), rounds);
        try (PostgresServer server = PostgresServer.startDurable()) {
            measure(section, "PostgreSQL", server.jdbcUrl(), rounds);
        }
        return section.goal("a p99 of 50 ms, 500 bytes per user", rounds);
    }

    private static void measure(Section section, String engine, String url, int rounds) throws Exception {
        try (Database database = Database.open(DatabaseUrl.parse(url), 2, START)) {
            database.migrate(START);
            Sql sql = database.sql();
            String bytes = String.format(Locale.ROOT, "%,.0f", fill(sql, engine.equals("SQLite")) / (double) USERS);
            searches(section, engine, "name", sql, rounds, Profile::name, bytes);
            searches(section, engine, "family name", sql, rounds, Profile::familyName, bytes);
            searches(section, engine, "email", sql, rounds, Profile::email, bytes);
        }
    }

    /** Returns the size of the profiles in bytes. */
    private static long fill(Sql sql, boolean sqlite) {
        sql.update(NAMES, USERS);
        long before = sqlite ? fileSize(sql) : 0;
        for (int i = 0; i < USERS; i += AT_ONCE) {
            int first = i;
            var unused = sql.transaction("fill", connection -> {
                for (int user = first; user < first + AT_ONCE; user++) {
                    Profiles.save(connection, "user-" + user, profile(user));
                }
                return AT_ONCE;
            });
        }
        sql.update("ANALYZE");
        return sqlite
                ? fileSize(sql) - before
                : sql.query("SELECT pg_total_relation_size('porchlight_profile')", row -> row.getLong(1))
                        .get(0);
    }

    private static long fileSize(Sql sql) {
        return sql.query(
                        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
                        row -> row.getLong(1))
                .get(0);
    }

    /** The profile of a user, the same each time. */
    private static Profile profile(int user) {
        Random random = new Random(user * 31L);
        String given = word(random, 2);
        String family = word(random, 3);
        String email = given.toLowerCase(Locale.ROOT) + '.' + family.toLowerCase(Locale.ROOT) + user + "@example.com";
        return new Profile(given + ' ' + family, given, family, email, true, "en", null, Claims.NONE, 1L + user);
    }

    private static String word(Random random, int syllables) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < syllables; i++) {
            word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
        }
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /** With prefixes of one character to the whole text. */
    private static void searches(
            Section section,
            String engine,
            String searched,
            Sql sql,
            int rounds,
            Function<Profile, String> member,
            String bytes) {
        Random random = new Random(7);
        List<Long> nanos = new ArrayList<>();
        for (int i = -WARM_UP; i < SEARCHES * rounds; i++) {
            String text = member.apply(profile(random.nextInt(USERS)));
            String query = text.substring(0, 1 + random.nextInt(text.length()));
            long begin = System.nanoTime();
            int found = UserSearch.page(sql, query, null, PAGE).size();
            long end = System.nanoTime();
            if (i >= 0) {
                nanos.add(end - begin);
            }
            if (found == 0) {
                throw new IllegalStateException("no user found by " + query);
            }
        }
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        section.row(engine, searched, shown(sorted, 0.5), shown(sorted, 0.99), bytes);
    }

    private static String shown(long[] sorted, double quantile) {
        return String.format(Locale.ROOT, "%.1f ms", sorted[(int) (quantile * (sorted.length - 1))] / 1e6);
    }
}
