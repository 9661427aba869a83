// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.storage.Database;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of a user whose session ends, at another instance, after the request was authenticated. PostgreSQL. */
class EndedSessionTest {
    /** The tables that the requests change. */
    private static final List<String> TABLES = List.of(
            "passkey_credential",
            "porchlight_user_access",
            "porchlight_profile",
            "porchlight_recovery_code",
            "porchlight_openid_consent",
            "porchlight_openid_authorization",
            "porchlight_reported_event",
            "porchlight_sealed_entry");

    private static Service service;
    private static Database database;
    private static OpenIdClient agreed;
    private static OpenIdClient unknown;
    private static OpenIdClient trusted;
    private static Person owner;
    private static String ownSession;
    private static String otherSession;
    private static String consentForm;
    private static String options;

    @BeforeAll
    static void start() {
        String url = TestDatabase.POSTGRES.freshUrl();
        service = Service.at(
                url,
                "RECOVERY_DELAY_HOURS",
                "1",
                "SMTP_URL",
                "smtp://127.0.0.1:1",
                "MAIL_FROM",
                "porchlight@b.example");
        agreed = OpenIdClient.register(service.admin(), ",\"consent\":true");
        unknown = OpenIdClient.register(service.admin(), ",\"consent\":true");
        trusted = OpenIdClient.register(service.admin(), "");
        owner = service.person("owner", SoftAuthenticator.securityKey()).enroll();
        service.admin()
                .post("/admin/operators", "{\"userId\":\"owner\",\"role\":\"owner\"}")
                .expect(204);
        database = TestDatabase.open(url, 4);
    }

    @AfterAll
    static void stop() {
        database.close();
        service.close();
    }

    /** A change, with its operation in the API description. */
    private enum Change {
        ADD_A_PASSKEY("POST " + Person.REGISTER_FINISH) {
            @Override
            TestResponse send(Web session, Person user) {
                return session.post(
                        Person.REGISTER_FINISH, device(user).browser().create(options));
            }
        },
        REMOVE_A_PASSKEY("DELETE /auth/passkey/credentials/{credentialId}") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.delete(Person.CREDENTIALS + '/' + user.credentialId() + "?force=true");
            }
        },
        RENAME_A_PASSKEY("PATCH /auth/passkey/credentials/{credentialId}") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.patch(Person.CREDENTIALS + '/' + user.credentialId(), "{\"name\":\"Mallory\"}");
            }
        },
        CREATE_A_LINK("POST /auth/passkey/devices") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.post("/auth/passkey/devices");
            }
        },
        CREATE_RECOVERY_CODES("POST /auth/recovery/codes") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.post("/auth/recovery/codes");
            }
        },
        CANCEL_A_RECOVERY("DELETE /auth/recovery") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.delete("/auth/recovery");
            }
        },
        CHANGE_THE_PROFILE("PATCH /auth/profile") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.patch("/auth/profile", "{\"name\":\"Mallory\"}");
            }
        },
        SEND_A_LINK("POST /auth/profile/email/link") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.post("/auth/profile/email/link");
            }
        },
        VERIFY_AN_ADDRESS("POST /auth/profile/email/verify") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.post("/auth/profile/email/verify", "{\"token\":\"any\"}");
            }
        },
        AGREE_TO_AN_APPLICATION("POST /oauth2/consent") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.postForm("/oauth2/consent", Map.of("request", consentForm, "decision", "agree"));
            }
        },
        REVOKE_A_CONSENT("DELETE /auth/applications/{clientId}") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.delete("/auth/applications/" + agreed.id());
            }
        },
        END_ANOTHER_SESSION("DELETE /auth/sessions/{session}") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.delete("/auth/sessions/" + otherSession);
            }
        },
        SIGN_OUT_EVERYWHERE("POST /auth/logout") {
            @Override
            TestResponse send(Web session, Person user) {
                return session.post("/auth/logout?everywhere=true");
            }
        };

        private final String operation;

        Change(String operation) {
            this.operation = operation;
        }

        abstract TestResponse send(Web session, Person user);
    }

    private static Person device(Person user) {
        return service.person(user.userId(), SoftAuthenticator.securityKey());
    }

    @Test
    void all_changes_by_users_are_tried() {
        Description description =
                new Description(service.web().get("/openapi.json").expect(200).body());

        assertThat(description.operations())
                .filteredOn(operation -> !operation.startsWith("GET ")
                        && description.security(operation).contains("session")
                        && description.roles(operation).isEmpty())
                .hasSizeGreaterThan(5)
                .isSubsetOf(Arrays.stream(Change.values())
                        .map(change -> change.operation)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void nothing_is_changed_with_a_session_that_ends_in_the_meantime(Change change) {
        Person user = service.person("user" + change.ordinal(), SoftAuthenticator.securityKey())
                .enroll();
        Web session = prepared(user);
        Sql sql = database.sql();

        List<String> before = rows(sql);
        CompletableFuture<TestResponse> response = sql.transaction("end the session", connection -> {
            SqlUsers.lock(connection, user.userId());
            Sql.update(connection, "DELETE FROM porchlight_sealed_entry WHERE entry_key = ?", ownSession);
            var sent = CompletableFuture.supplyAsync(() -> change.send(session, user));
            await().until(() -> sent.isDone() || TestDatabase.isWaiting(sql));
            assertThat(sent).isNotDone();
            return sent;
        });

        TestResponse refused = response.join();
        if (change == Change.AGREE_TO_AN_APPLICATION) {
            assertThat(refused.expect(303).header("Location")).startsWith("/?request=");
        } else {
            refused.expectProblem(401, "unauthenticated");
        }
        assertThat(rows(sql)).isEqualTo(before);
    }

    /** A login locks them in this order; in the other order the database would end one of the two as a deadlock. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATCH /auth/passkey/credentials/",
                "DELETE /auth/passkey/credentials/",
                "DELETE /admin/users/owner/passkeys/"
            })
    void a_change_locks_the_passkey_before_the_session(String operation) {
        String[] route = operation.split(" ");
        Web session = owner.bySession().with("Content-Type", "application/json");
        String handle = handle(session);
        Sql sql = database.sql();

        TestResponse response = sql.transaction("a login", connection -> {
                    var unused = Sql.query(
                            connection,
                            "SELECT 1 FROM passkey_credential WHERE user_id = 'owner' FOR NO KEY UPDATE",
                            row -> 1);
                    var sent = CompletableFuture.supplyAsync(
                            () -> session.send(route[0], route[1] + owner.credentialId(), "{\"name\":\"Ada\"}"));
                    await().until(() -> sent.isDone() || TestDatabase.isWaiting(sql));
                    assertThat(sent).isNotDone();
                    assertThat(Sql.query(
                                    connection,
                                    "SELECT 1 FROM porchlight_sealed_entry WHERE entry_key = ? FOR UPDATE SKIP LOCKED",
                                    row -> 1,
                                    handle))
                            .hasSize(1);
                    return sent;
                })
                .join();

        assertThat(response.status()).isEqualTo(route[0].equals("PATCH") ? 200 : 409); // the last one
    }

    /** Signs a user in who has something of everything that can be changed. */
    private static Web prepared(Person user) {
        service.admin()
                .patch("/admin/users/" + user.userId(), "{\"email\":\"" + user.userId() + "@a.example\"}")
                .expect(204);
        Web other = user.bySession();
        otherSession = handle(other);
        trusted.tokens(other);
        Web session = user.bySession();
        ownSession = handle(session);
        String code = String.valueOf(((List<?>)
                        session.post("/auth/recovery/codes").expect(201).json().get("codes"))
                .get(0));
        service.web()
                .post("/auth/recovery", "{\"userId\":\"" + user.userId() + "\",\"code\":\"" + code + "\"}")
                .expect(202);
        OpenIdFixture.consent(session, agreed.begin(agreed.request()), "agree");
        consentForm = OpenIdFixture.consentForm(OpenIdClient.proceed(session, unknown.begin(unknown.request())));
        options = session.get(Person.REGISTER_OPTIONS).expect(200).body();
        return session;
    }

    private static String handle(Web session) {
        return session.get("/auth/sessions").json().objects("sessions").stream()
                .filter(each -> each.flag("current"))
                .findFirst()
                .orElseThrow()
                .string("session");
    }

    private static List<String> rows(Sql sql) {
        return Service.rows(sql, TABLES).stream()
                .filter(row -> !row.contains(ownSession))
                .toList();
    }
}
