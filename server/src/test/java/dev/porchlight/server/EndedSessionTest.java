// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.storage.Database;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests of a user whose session ends, at another instance, after the request was authenticated. PostgreSQL. */
class EndedSessionTest {
    /** The tables that the requests change. */
    private static final List<String> TABLES = List.of(
            "passkey_credential",
            "porchlight_user_access",
            "porchlight_profile",
            "porchlight_recovery_code",
            "porchlight_sealed_entry");

    private static Service service;
    private static Database database;

    @BeforeAll
    static void start() {
        String url = TestDatabase.POSTGRES.freshUrl();
        service = Service.at(url, "RECOVERY_DELAY_HOURS", "1");
        database = TestDatabase.open(url, 4);
    }

    @AfterAll
    static void stop() {
        database.close();
        service.close();
    }

    private enum Change {
        ADD_A_PASSKEY {
            @Override
            TestResponse send(Web session, Person user, String options) {
                return session.post(
                        Person.REGISTER_FINISH, device(user).browser().create(options));
            }
        },
        REMOVE_A_PASSKEY {
            @Override
            TestResponse send(Web session, Person user, String options) {
                return session.delete(Person.CREDENTIALS + '/' + user.credentialId() + "?force=true");
            }
        },
        CREATE_A_LINK {
            @Override
            TestResponse send(Web session, Person user, String options) {
                return session.post("/auth/passkey/devices");
            }
        },
        CREATE_RECOVERY_CODES {
            @Override
            TestResponse send(Web session, Person user, String options) {
                return session.post("/auth/recovery/codes");
            }
        },
        CANCEL_A_RECOVERY {
            @Override
            TestResponse send(Web session, Person user, String options) {
                return session.delete("/auth/recovery");
            }
        },
        CHANGE_THE_PROFILE {
            @Override
            TestResponse send(Web session, Person user, String options) {
                return session.patch("/auth/profile", "{\"name\":\"Mallory\"}");
            }
        },
        SIGN_OUT_EVERYWHERE {
            @Override
            TestResponse send(Web session, Person user, String options) {
                return session.post("/auth/logout?everywhere=true");
            }
        };

        abstract TestResponse send(Web session, Person user, String options);
    }

    private static Person device(Person user) {
        return service.person(user.userId(), SoftAuthenticator.securityKey());
    }

    @ParameterizedTest
    @EnumSource
    void nothing_is_changed_with_a_session_that_ends_in_the_meantime(Change change) {
        Person user = service.person("user" + change.ordinal(), SoftAuthenticator.securityKey())
                .enroll();
        Web session = user.bySession();
        String code = String.valueOf(((List<?>)
                        session.post("/auth/recovery/codes").expect(201).json().get("codes"))
                .get(0));
        service.web()
                .post("/auth/recovery", "{\"userId\":\"" + user.userId() + "\",\"code\":\"" + code + "\"}")
                .expect(202);
        String options = session.get(Person.REGISTER_OPTIONS).expect(200).body();
        Sql sql = database.sql();

        List<String> before = rows(sql);
        CompletableFuture<TestResponse> response = sql.transaction("end the sessions", connection -> {
            SqlUsers.lock(connection, user.userId());
            Sql.update(connection, "DELETE FROM porchlight_sealed_entry WHERE kind = 'session'");
            var sent = CompletableFuture.supplyAsync(() -> change.send(session, user, options));
            await().until(() -> sent.isDone() || TestDatabase.isWaiting(sql));
            assertThat(sent).isNotDone();
            return sent;
        });

        int status = response.join().status();
        assertThat(status).isEqualTo(change == Change.CANCEL_A_RECOVERY ? 404 : 401);
        assertThat(rows(sql)).isEqualTo(before);
    }

    private static List<String> rows(Sql sql) {
        return TABLES.stream()
                .flatMap(table -> Service.rows(sql, table).stream())
                .filter(row -> !row.startsWith("session"))
                .sorted()
                .toList();
    }
}
