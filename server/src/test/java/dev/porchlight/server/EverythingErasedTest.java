// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the tables hold after the erasure of a user who used everything. */
class EverythingErasedTest {
    private static final String ADA = "Ada.Lovelace";
    private static final String EMAIL = "countess@analytical.example";
    private static final String NAME = "Augusta King";
    private static final String PICTURE = "https://analytical.example/ada.png";

    /** Tables in which rows remain: without the user, or with a pseudonym or a keyed hash instead. */
    private static final Set<String> REMAINING = Set.of(
            "passkey_used_challenge",
            "passkey_decoy",
            "porchlight_api_token",
            "porchlight_audit",
            "porchlight_audit_head",
            "porchlight_erased_spelling",
            "porchlight_erased_user",
            "porchlight_event_cursor",
            "porchlight_openid_used",
            "porchlight_outbox",
            "porchlight_probe",
            "porchlight_removed_passkey",
            "porchlight_reported_event");

    /** Tables that the user must have changed, so that the test shows something. */
    private static final Set<String> CHANGED = Set.of(
            "passkey_credential",
            "passkey_user",
            "porchlight_audit_subject",
            "porchlight_failed_ceremony",
            "porchlight_group_member",
            "porchlight_name",
            "porchlight_openid_authorization",
            "porchlight_openid_consent",
            "porchlight_operator",
            "porchlight_outbox",
            "porchlight_passkey_source",
            "porchlight_profile",
            "porchlight_sealed_entry",
            "porchlight_user_access");

    private final List<String> personal = new ArrayList<>(List.of(ADA, ADA.toLowerCase(java.util.Locale.ROOT)));

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void nothing_remains_of_a_user_who_used_everything(TestDatabase database) throws Exception {
        try (Service service = Service.on(
                database,
                "PROFILE_EDITABLE",
                "name,email,picture",
                "SMTP_URL",
                "smtp://127.0.0.1:1",
                "MAIL_FROM",
                "porchlight@b.example")) {
            Web admin = service.admin();
            OpenIdClient app = OpenIdClient.register(admin, ",\"consent\":true");
            admin.patch("/admin/groups/staff", "{\"claims\":{\"floor\":1}}").expect(204);
            admin.post("/admin/webhooks", "{\"url\":\"https://127.0.0.1:1/events\",\"events\":[\"user.erased\"]}")
                    .expect(201);
            Map<String, List<String>> before = tables(service);

            useEverything(service, app);
            Map<String, List<String>> used = tables(service);
            admin.delete("/admin/users/" + ADA).expect(204);

            assertThat(CHANGED)
                    .allSatisfy(table -> assertThat(used.get(table)).as(table).isNotEqualTo(before.get(table)));
            await().untilAsserted(
                            () -> { // the sign-ins to applications end in the background
                                Map<String, List<String>> after = tables(service);
                                after.keySet().removeAll(REMAINING);
                                assertThat(before).containsAllEntriesOf(after);
                            });
            assertThat(tables(service))
                    .allSatisfy((table, rows) -> assertThat(rows)
                            .as(table)
                            .noneMatch(row -> personal.stream().anyMatch(row::contains)));
            assertThat(service.rows("porchlight_outbox")).hasSize(1).allMatch(row -> row.contains("user.erased"));
        }
    }

    private void useEverything(Service service, OpenIdClient app) {
        Person ada = service.person(ADA, SoftAuthenticator.securityKey()).enroll();
        Web session = ada.bySession();
        session.patch(
                        "/auth/profile",
                        "{\"name\":\"" + NAME + "\",\"email\":\"" + EMAIL + "\",\"picture\":\"" + PICTURE + "\"}")
                .expect(200);
        session.patch(Person.CREDENTIALS + '/' + ada.credentialId(), "{\"name\":\"Engine\"}")
                .expect(200);
        String link = session.post("/auth/passkey/devices").expect(201).json().string("url");
        Person device = service.person(ADA, SoftAuthenticator.securityKey());
        device.register(link.substring(link.indexOf("enroll_"))).expect(201);
        String code = String.valueOf(((List<?>)
                        session.post("/auth/recovery/codes").expect(201).json().get("codes"))
                .get(0));
        String token = service.web()
                .post("/auth/recovery", "{\"userId\":\"" + ADA + "\",\"code\":\"" + code + "\"}")
                .expect(201)
                .json()
                .string("token");
        Person recovered = service.person(ADA, SoftAuthenticator.securityKey());
        recovered.register(token).expect(201);
        recovered.remove(session).expect(200);
        service.web().bearer(token).get(Person.REGISTER_OPTIONS).expect(401); // a link that was used
        OpenIdFixture.consent(session, app.begin(app.request()), "agree");
        app.refresh(app.tokens(session).string("refresh_token")).expect(200);
        JsonObject tampered = JsonObject.parse(ada.assertion());
        tampered.object("response").put("signature", "AAAA");
        ada.finishLogin(tampered.toString()).expect(401);
        await().until(() -> service.rows("porchlight_failed_ceremony").size() >= 2);

        Web admin = service.admin();
        admin.post("/admin/groups/staff/" + ADA).expect(204);
        admin.patch("/admin/users/" + ADA, "{\"claims\":{\"engine\":\"difference\"}}")
                .expect(204);
        admin.post("/admin/enrollments", "{\"userId\":\"" + ADA + "\"}").expect(201);
        admin.post("/admin/operators", "{\"userId\":\"" + ADA + "\",\"role\":\"owner\"}")
                .expect(204);
        Web owner = ada.bySession();
        owner.post("/admin/tokens", "{\"name\":\"engine\",\"role\":\"auditor\"}")
                .expect(201);
        owner.post("/admin/enrollments", "{\"userId\":\"" + ADA + "\"}").expect(201);
        personal.addAll(List.of(
                EMAIL,
                NAME,
                PICTURE,
                "difference",
                service.subject(ada),
                ada.credentialId(),
                device.credentialId(),
                recovered.credentialId()));
    }

    /** The rows of the tables that the documentation names. */
    private static Map<String, List<String>> tables(Service service) {
        Map<String, List<String>> tables = new TreeMap<>();
        try {
            Path page = Path.of(System.getProperty("porchlight.root"), "docs/operations/storage.md");
            Pattern.compile("(?m)^### `(p[a-z_]+)`$")
                    .matcher(Files.readString(page))
                    .results()
                    .forEach(table -> tables.put(
                            table.group(1),
                            service.rows(table.group(1)).stream().sorted().toList()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return tables;
    }
}
