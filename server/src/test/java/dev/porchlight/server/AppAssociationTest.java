// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Android and iOS apps that use the passkeys of the service. */
class AppAssociationTest {
    private static final String FINGERPRINT = "AB:".repeat(31) + "CD";
    /** The certificate of the app that {@link #APP} writes into the client data. */
    private static final String SECOND = "00:".repeat(31) + "00";

    private static final Mutation APP = Mutations.named(CeremonyType.AUTHENTICATION, "origin-of-an-app");

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.on(
                TestDatabase.SQLITE,
                "ANDROID_APPS",
                "com.example.app=" + FINGERPRINT.toLowerCase(Locale.ROOT) + ", com.example.app=" + SECOND,
                "IOS_APPS",
                "A1B2C3D4E5.com.example.app, A1B2C3D4E5.com.example.other");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void asset_links_list_the_certificates_of_each_android_app() {
        TestResponse links = service.web().get("/.well-known/assetlinks.json").expect(200);

        assertThat(links.header("Content-Type")).isEqualTo("application/json");
        assertThat(links.header("Cache-Control")).contains("max-age");
        assertThat(links.body())
                .isEqualTo("[{\"relation\":[\"delegate_permission/common.handle_all_urls\","
                        + "\"delegate_permission/common.get_login_creds\"],"
                        + "\"target\":{\"namespace\":\"android_app\",\"package_name\":\"com.example.app\","
                        + "\"sha256_cert_fingerprints\":[\"" + FINGERPRINT + "\",\"" + SECOND + "\"]}}]");
    }

    @Test
    void the_apple_association_lists_the_ios_apps() {
        TestResponse association =
                service.web().get("/.well-known/apple-app-site-association").expect(200);

        assertThat(association.header("Content-Type")).isEqualTo("application/json");
        assertThat(association.body())
                .isEqualTo("{\"webcredentials\":{\"apps\":[\"A1B2C3D4E5.com.example.app\","
                        + "\"A1B2C3D4E5.com.example.other\"]}}");
    }

    @Test
    void an_android_app_signs_in_under_the_origin_of_its_certificate() {
        Person person = service.newUser().enroll();

        person.finishLogin(person.browser().get(person.loginOptions(), APP)).expect(200);
    }

    @Test
    void a_service_without_apps_serves_empty_documents_and_refuses_the_origin() {
        try (Service plain = Service.on(TestDatabase.SQLITE)) {
            assertThat(plain.web()
                            .get("/.well-known/assetlinks.json")
                            .expect(200)
                            .body())
                    .isEqualTo("[]");
            assertThat(plain.web()
                            .get("/.well-known/apple-app-site-association")
                            .expect(200)
                            .body())
                    .isEqualTo("{\"webcredentials\":{\"apps\":[]}}");
            Person person = plain.newUser().enroll();
            person.finishLogin(person.browser().get(person.loginOptions(), APP))
                    .expectProblem(401, "authentication_failed");
        }
    }
}
