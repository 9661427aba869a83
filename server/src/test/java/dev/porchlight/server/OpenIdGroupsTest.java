// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.openid.OpenIdModule;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.server.storage.UserGroups;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.StorageModule;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.files.FastDirectory;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client that is limited to groups got ends with the membership, also if the user joins again at once. */
@Tag("slow")
class OpenIdGroupsTest {
    private static final Map<TestDatabase, Service> SERVICES = new EnumMap<>(TestDatabase.class);

    private static Service on(TestDatabase database) {
        return SERVICES.computeIfAbsent(database, Service::on);
    }

    @AfterAll
    static void stop() {
        SERVICES.values().forEach(Service::close);
    }

    /** How a user leaves the group {@code crew}. */
    private enum Departure {
        REMOVAL {
            @Override
            void leave(Service service, Person person) {
                service.admin().delete(membership("crew", person)).expect(204);
            }
        },
        REPLACED_GROUPS {
            @Override
            void leave(Service service, Person person) {
                service.admin()
                        .patch("/admin/users/" + encoded(person), "{\"groups\":[\"deck\",\"Crew\"]}")
                        .expect(204);
            }
        },
        COMMAND {
            @Override
            void leave(Service service, Person person) {
                CliRun run = CliRun.of(environment(service), "groups", "remove", "crew", person.userId());
                assertThat(run.status()).as(run.err()).isZero();
            }
        };

        abstract void leave(Service service, Person person);
    }

    private static Map<String, String> environment(Service service) {
        return new HashMap<>(Map.of("DATABASE_URL", service.databaseUrl(), "SESSION_SECRET", Service.SECRET));
    }

    private static String encoded(Person person) {
        return person.userId().replace(" ", "%20");
    }

    private static String membership(String group, Person person) {
        return "/admin/groups/" + group + "/" + encoded(person);
    }

    private static Person member(Service service, String... groups) {
        Person person = service.newUser().enroll();
        for (String group : groups) {
            service.admin().post(membership(group, person)).expect(204);
        }
        return person;
    }

    private static OpenIdClient limitedTo(Service service, String groups) {
        return OpenIdClient.register(service.admin(), ",\"groups\":[" + groups + "]");
    }

    static Stream<Arguments> departures() {
        return Stream.of(TestDatabase.SQLITE, TestDatabase.POSTGRES)
                .flatMap(database ->
                        Arrays.stream(Departure.values()).map(departure -> Arguments.of(database, departure)));
    }

    @ParameterizedTest
    @MethodSource("departures")
    void a_user_who_left_and_joins_again_signs_in_again(TestDatabase database, Departure departure) {
        Service service = on(database);
        Person person = member(service, "crew", "deck", "Crew");
        Web browser = person.bySession();
        OpenIdClient limited = limitedTo(service, "\"crew\"");
        JsonObject tokens = limited.tokens(browser);
        String code = limited.code(browser);
        List<OpenIdClient> others = List.of(
                OpenIdClient.register(service.admin(), ""),
                limitedTo(service, "\"crew\",\"deck\""),
                limitedTo(service, "\"Crew\""));
        List<JsonObject> kept = others.stream().map(it -> it.tokens(browser)).toList();

        departure.leave(service, person);
        service.admin().post(membership("crew", person)).expect(204);

        limited.userinfo(tokens.string("access_token")).expect(401);
        limited.refresh(tokens.string("refresh_token")).expect(400);
        limited.redeem(code).expect(400);
        limited.tokens(browser);
        for (int i = 0; i < others.size(); i++) {
            others.get(i).refresh(kept.get(i).string("refresh_token")).expect(200);
        }
    }

    @Test
    void a_membership_that_ended_unnoticed_is_missed_at_the_next_refresh() {
        Service service = on(TestDatabase.SQLITE);
        OpenIdClient limited = limitedTo(service, "\"noon\"");
        JsonObject tokens = limited.tokens(member(service, "noon").bySession());

        service.keepingSignIns(() -> {
            service.withSql(sql -> sql.update("DELETE FROM porchlight_group_member WHERE group_name = 'noon'"));

            limited.userinfo(tokens.string("access_token")).expect(401);
            assertThat(limited.refresh(tokens.string("refresh_token"))
                            .expect(400)
                            .json()
                            .string("code"))
                    .isEqualTo("left_group");
        });
    }

    @Test
    void a_user_who_leaves_while_a_code_is_issued_gets_none() {
        Service service = on(TestDatabase.SQLITE);
        OpenIdClient limited = limitedTo(service, "\"night\"");
        Web browser = member(service, "night").bySession();
        String sealed = limited.begin(limited.request());
        // As if an operator removed the user elsewhere after the request found the membership.
        service.withSql(sql -> sql.update("CREATE TRIGGER leaves AFTER UPDATE ON passkey_user"
                + " BEGIN DELETE FROM porchlight_group_member WHERE group_name = 'night'; END"));
        try {
            assertThat(OpenIdClient.proceed(browser, sealed).expect(303).header("Location"))
                    .startsWith("/?request=");
        } finally {
            service.withSql(sql -> sql.update("DROP TRIGGER leaves"));
        }

        OpenIdClient.proceed(browser, sealed).expect(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"code", "refresh token"})
    void a_redemption_that_waits_for_a_departure_yields_nothing_after_the_user_has_joined_again(String redeemed)
            throws Exception {
        Service service = on(TestDatabase.POSTGRES);
        Person person = member(service, "crew");
        OpenIdClient limited = limitedTo(service, "\"crew\"");
        Web browser = person.bySession();
        String token = redeemed.equals("code")
                ? limited.code(browser)
                : limited.tokens(browser).string("refresh_token");
        Supplier<TestResponse> redemption =
                () -> redeemed.equals("code") ? limited.redeem(token) : limited.refresh(token);
        Parts parts = new Parts();
        try {
            StorageModule storage = storage(service, parts);
            var departure = OpenIdModule.departure(storage);
            Sql sql = storage.sql();
            String userId = person.userId();

            CompletableFuture<TestResponse> response = sql.transaction("leave and join", connection -> {
                SqlUsers.lock(connection, userId);
                var sent = CompletableFuture.supplyAsync(redemption);
                await().until(() -> sent.isDone() || TestDatabase.isWaiting(sql));
                assertThat(sent).isNotDone();
                assertThat(UserGroups.remove(connection, "crew", userId)).isTrue();
                departure.run(connection, userId, "crew");
                assertThat(UserGroups.add(connection, "crew", userId)).isTrue();
                return sent;
            });

            response.join().expect(400);
        } finally {
            parts.close();
        }
    }

    private static StorageModule storage(Service service, Parts parts) throws Exception {
        Map<String, String> environment = environment(service);
        environment.put("DATA_DIR", FastDirectory.fresh().toString());
        return new StorageModule(parts, Config.read(Patience.variables(environment)));
    }

    @Test
    void a_code_that_is_redeemed_while_its_user_leaves_at_another_instance_yields_nothing_that_lasts()
            throws Exception {
        Service service = on(TestDatabase.POSTGRES);
        Person person = member(service, "crew");
        Web browser = person.bySession();
        OpenIdClient limited = limitedTo(service, "\"crew\"");
        String membership = membership("crew", person);
        try (Service other = Service.at(service.databaseUrl())) {
            for (int round = 0; round < 20; round++) {
                String code = limited.code(browser);
                List<TestResponse> responses = new ArrayList<>(Together.run(
                        List.of(() -> limited.redeem(code), () -> other.admin().delete(membership))));
                responses.get(1).expect(204);
                other.admin().post(membership).expect(204);

                if (responses.get(0).status() == 200) {
                    JsonObject tokens = responses.get(0).json();
                    limited.userinfo(tokens.string("access_token")).expect(401);
                    limited.refresh(tokens.string("refresh_token")).expect(400);
                } else {
                    responses.get(0).expect(400);
                }
                limited.redeem(code).expect(400);
            }
        }
    }
}
