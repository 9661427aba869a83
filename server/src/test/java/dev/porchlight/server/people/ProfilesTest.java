// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.TestUnits;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles and the search by them, on both databases. */
class ProfilesTest {
    @Nested
    class OnSqlite extends Contract {
        @Override
        TestDatabase kind() {
            return TestDatabase.SQLITE;
        }
    }

    @Nested
    class OnPostgres extends Contract {
        @Override
        TestDatabase kind() {
            return TestDatabase.POSTGRES;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'name':''}",
                "{'name':'   '}",
                "{'name':'a\\u202eb'}",
                "{'name':'\\u3164'}",
                "{'name':'\\u200d'}",
                "{'name':'a\\u0000b'}",
                "{'name':1}",
                "{'email':'ada'}",
                "{'email':'ada@'}",
                "{'email':'a b@example.com'}",
                "{'email':'ada@example.com\\r\\nBcc: x@example.com'}",
                "{'email':'ada@example.com,x@example.com'}",
                "{'email':'ada@-example.com'}",
                "{'emailVerified':'yes'}",
                "{'locale':'de_AT_x'}",
                "{'locale':''}",
                "{'picture':'http://example.com/a.png'}",
                "{'picture':'javascript:alert(1)'}",
                "{'picture':'https://user:secret@example.com/a.png'}",
                "{'picture':'https:/a.png'}",
                "{'claims':'x'}",
                "{'claims':{'sub':'x'}}",
                "{'claims':{'email':'x'}}",
                "{'claims':{'a b':'x'}}",
                "{'claims':{'':'x'}}",
                "{'claims':{'level':1.5}}",
                "{'claims':{'level':9007199254740992}}",
                "{'claims':{'level':{'deep':1}}}",
                "{'claims':{'teams':['a',1]}}",
                "{'claims':{'teams':[null]}}",
                "{'updatedAt':1}",
                "{'userId':'bob'}"
            })
    void an_invalid_member_is_refused(String json) {
        assertThatThrownBy(() -> change(json)).isInstanceOf(MalformedException.class);
    }

    @Test
    void members_and_claims_have_bounds() {
        for (String json : List.of(
                "{'name':'" + "x".repeat(129) + "'}",
                "{'email':'" + "x".repeat(65) + "@example.com'}",
                "{'picture':'https://example.com/" + "x".repeat(512) + "'}",
                "{'claims':{'" + "x".repeat(129) + "':true}}",
                "{'claims':{'text':'" + "x".repeat(513) + "'}}",
                "{'claims':{'a':['" + "x".repeat(500) + "','" + "x".repeat(500) + "','" + "x".repeat(500) + "','"
                        + "x".repeat(500) + "','" + "x".repeat(100) + "']}}")) {
            assertThatThrownBy(() -> change(json)).isInstanceOf(MalformedException.class);
        }
    }

    @Test
    void only_allowed_members_can_be_changed() {
        assertThatThrownBy(() -> ProfileChange.parse(
                        JsonObject.parse("{\"name\":\"Ada\"}", ""), EnumSet.of(ProfileMember.EMAIL), Set.of()))
                .isInstanceOf(MalformedException.class);
    }

    private static ProfileChange change(String json) throws MalformedException {
        return ProfileChange.parse(
                JsonObject.parse(json.replace('\'', '"'), ""), EnumSet.allOf(ProfileMember.class), Set.of());
    }

    abstract static class Contract {
        private static final byte[] KEY = new byte[32];
        private static final long NOW = 1_750_000_000_000L;

        private Database database;
        private TestUnits units;
        private Sql sql;
        private Profiles profiles;

        abstract TestDatabase kind();

        @BeforeEach
        void open() {
            database = kind().open(4);
            sql = database.sql();
            units = new TestUnits(database.dataSource(), kind(), new AuditTrail(KEY, Clock.systemUTC()));
            profiles = new Profiles(
                    units.units(),
                    (connection, userId, before, byUser) -> {},
                    InstantSource.fixed(java.time.Instant.ofEpochMilli(NOW)));
        }

        @AfterEach
        void close() {
            units.close();
            database.close();
        }

        @Test
        void a_change_is_stored_with_its_audit_row() throws Exception {
            user("ada");

            assertThat(set(
                            "ada",
                            "{'name':' Ada Lovelace ','givenName':'Ada','familyName':'Lovelace','locale':'en-gb',"
                                    + "'email':'Ada@Example.com','emailVerified':true,'picture':'https://example.com/a.png',"
                                    + "'claims':{'level':3,'staff':true,'team':'core','sites':['Linz','Graz']}}"))
                    .get()
                    .isEqualTo(List.of(ProfileMember.values()));

            assertThat(profile("ada"))
                    .isEqualTo(new Profile(
                            "Ada Lovelace",
                            "Ada",
                            "Lovelace",
                            "Ada@Example.com",
                            true,
                            "en-GB",
                            "https://example.com/a.png",
                            new Claims(Map.of(
                                    "level", 3L, "staff", true, "team", "core", "sites", List.of("Linz", "Graz"))),
                            NOW));
            assertThat(audit("ada"))
                    .singleElement()
                    .satisfies(row -> assertThat(row.toString())
                            .contains("profile_changed", "cli:root", "emailVerified", "claims")
                            .doesNotContain("Lovelace", "xample.com", "core"));
        }

        @Test
        void absent_members_stay_and_null_removes() throws Exception {
            user("ada");
            set("ada", "{'name':'Ada','email':'ada@example.com','claims':{'team':'core','level':3}}");

            assertThat(set("ada", "{'name':null,'claims':{'team':null,'staff':true}}"))
                    .hasValue(List.of(ProfileMember.NAME, ProfileMember.CLAIMS));

            assertThat(profile("ada").name()).isNull();
            assertThat(profile("ada").email()).isEqualTo("ada@example.com");
            assertThat(profile("ada").claims().values()).isEqualTo(Map.of("level", 3L, "staff", true));
        }

        @Test
        void a_change_without_effect_has_no_audit_row() throws Exception {
            user("ada");
            set("ada", "{'name':'Ada'}");

            assertThat(set("ada", "{'name':'Ada','email':null}")).hasValue(List.of());

            assertThat(audit("ada")).hasSize(1);
        }

        @Test
        void a_new_email_is_not_verified() throws Exception {
            user("ada");
            set("ada", "{'email':'ada@example.com','emailVerified':true}");
            assertThat(profile("ada").emailVerified()).isTrue();

            set("ada", "{'email':'ada@example.com'}");
            assertThat(profile("ada").emailVerified()).isTrue();

            set("ada", "{'email':'eve@example.com'}");
            assertThat(profile("ada").emailVerified()).isFalse();

            set("ada", "{'email':null,'emailVerified':true}");
            assertThat(profile("ada")).isEqualTo(Profile.EMPTY);
        }

        @Test
        void claims_are_bounded_together() throws Exception {
            user("ada");
            for (String name : List.of("a", "b", "c")) {
                set("ada", "{'claims':{'" + name + "':'" + "x".repeat(500) + "'}}");
            }

            assertThatThrownBy(
                            () -> set("ada", "{'claims':{'d':['" + "x".repeat(500) + "','" + "x".repeat(100) + "']}}"))
                    .isInstanceOf(MalformedException.class);

            assertThat(profile("ada").claims().values()).containsOnlyKeys("a", "b", "c");
            assertThat(audit("ada")).hasSize(3);
        }

        @Test
        void an_unknown_user_has_no_profile() throws Exception {
            assertThat(set("unknown", "{'name':'Ada'}")).isEmpty();

            assertThat(sql.query("SELECT user_id FROM porchlight_profile", row -> row.getString(1)))
                    .isEmpty();
            assertThat(profile("unknown")).isEqualTo(Profile.EMPTY);
        }

        @Test
        void a_guard_prevents_the_change() throws Exception {
            user("ada");

            assertThat(profiles.changeOwn("ada", change("{'name':'Ada'}"), connection -> false, Operator.commandLine()))
                    .isEmpty();

            assertThat(profile("ada")).isEqualTo(Profile.EMPTY);
        }

        @Test
        void a_profile_without_members_has_no_row() throws Exception {
            user("ada");
            set("ada", "{'name':'Ada'}");
            set("ada", "{'name':null}");

            assertThat(sql.query("SELECT user_id FROM porchlight_profile", row -> row.getString(1)))
                    .isEmpty();
        }

        @Test
        void users_are_found_by_the_beginning_of_id_names_and_email() throws Exception {
            user("mx-1", "{'name':'Ada Lovelace','familyName':'Lovelace','email':'countess@example.com'}");
            user("mx-2", "{'givenName':'Ädele','familyName':'Straße'}");
            user("lovely");

            assertThat(found("LOVE")).containsExactly("lovely", "mx-1");
            assertThat(found("ada l")).containsExactly("mx-1");
            assertThat(found("Countess@EX")).containsExactly("mx-1");
            assertThat(found("ÄDELE STRASSE")).containsExactly("mx-2");
            assertThat(found("strasse")).containsExactly("mx-2");
            assertThat(found("x-2")).containsExactly("mx-2"); // no id, name or email begins with it
            assertThat(found("acc")).isEmpty();
            assertThat(found("%")).isEmpty();
            assertThat(found("")).containsExactly("lovely", "mx-1", "mx-2");
        }

        @Test
        void a_search_is_complete_and_without_duplicates_over_pages() throws Exception {
            user("smith");
            for (int i = 0; i < 5; i++) {
                user(
                        "u" + i,
                        "{'name':'Smith " + i % 2 + "','familyName':'Smith','email':'smith" + i + "@example.com'}");
            }
            user("a1", "{'familyName':'Smithers'}");
            user("a2", "{'email':'smithy@example.com'}");
            user("smith-2", "{'name':'Smith','email':'smith@example.com'}");

            List<String> all = new ArrayList<>();
            List<String> page = found("smith", null, 2);
            while (!page.isEmpty()) {
                all.addAll(page);
                page = found("smith", page.get(page.size() - 1), 2);
            }

            assertThat(all).containsExactly("smith", "smith-2", "u0", "u2", "u4", "u1", "u3", "a1", "a2");
        }

        private void user(String userId) {
            TakenNames names = new TakenNames(new ErasedUsers(KEY), new AuditSubjects(KEY));
            var unused = sql.transaction("take a name", connection -> names.take(connection, userId));
        }

        private void user(String userId, String profile) throws MalformedException {
            user(userId);
            assertThat(set(userId, profile)).isPresent();
        }

        private Optional<List<ProfileMember>> set(String userId, String json) throws MalformedException {
            return profiles.change(userId, change(json), Operator.commandLine());
        }

        private Profile profile(String userId) {
            Profile found = Profiles.find(sql, userId);
            assertThat(Profiles.of(sql, List.of(userId, "other")).getOrDefault(userId, Profile.EMPTY))
                    .isEqualTo(found);
            return found;
        }

        private List<AuditEntry> audit(String userId) {
            return new AuditStore(sql).entries(AuditEntry.Query.ofUser(userId), 100);
        }

        private List<String> found(String query) {
            return found(query, null, 10);
        }

        private List<String> found(String query, @Nullable String after, int limit) {
            return UserSearch.page(sql, query, after, limit).stream()
                    .map(UserSearch.Found::userId)
                    .toList();
        }
    }
}
