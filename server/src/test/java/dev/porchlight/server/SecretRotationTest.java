// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.StableKeys;
import dev.porchlight.server.auth.StableKeys.Purpose;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** Values sealed under the old secret are accepted while it is configured as the previous secret. */
class SecretRotationTest {
    private static final String NEXT = "the next session secret, which is long enough";

    private final String url = TestDatabase.SQLITE.freshUrl();
    private final MovableClock clock = new MovableClock();

    @Test
    void users_stay_signed_in_while_the_secret_is_rotated_and_after_it() {
        SoftAuthenticator key = SoftAuthenticator.securityKey();
        String token;
        String cookie;
        String assertion;
        try (Service before = at(Service.SECRET, "")) {
            Person person = before.person("rotated", key).enroll();
            TestResponse login = person.login().expect(200);
            token = login.json().string("token");
            cookie = Person.cookie(login);
            assertion = person.assertion();
        }
        try (Service during = at(NEXT, Service.SECRET)) {
            during.web().get("/health/ready").expect(200);
            during.web().bearer(token).get("/auth/session").expect(200);
            during.web().with("Cookie", cookie).get("/auth/session").expect(200);
            during.person("rotated", key).finishLogin(assertion).expect(200);
        }
        try (Service after = at(NEXT, "")) {
            after.web().get("/health/ready").expect(200);
            after.web().bearer(token).get("/auth/session").expect(200);
            after.web().with("Cookie", cookie).get("/auth/session").expect(401);
            after.person("rotated", key).login().expect(200);
            byte[] decoys = after.withSql(sql ->
                    new StableKeys(sql, new DerivedKeys(NEXT), new SecureRandom()).of(Purpose.DECOY_CREDENTIALS));
            assertThat(decoys).isEqualTo(new DerivedKeys(Service.SECRET).forPurpose("decoy credentials"));
            AuditVerification.Result audit = after.withSql(sql -> new AuditVerification(
                            new AuditStore(sql), new DerivedKeys(Service.SECRET).forPurpose("audit chain"))
                    .verify());
            assertThat(audit.faults()).isEmpty();
        }
    }

    @Test
    void a_session_from_before_the_rotation_ends_with_its_passkey() {
        SoftAuthenticator key = SoftAuthenticator.securityKey();
        String cookie;
        try (Service before = at(Service.SECRET, "")) {
            cookie =
                    Person.cookie(before.person("removed", key).enroll().login().expect(200));
        }
        try (Service during = at(NEXT, Service.SECRET)) {
            Person person = during.person("removed", key);
            person.byToken()
                    .delete(Person.CREDENTIALS + "/" + person.credentialId() + "?force=true")
                    .expect(200);
            during.web().with("Cookie", cookie).get("/auth/session").expect(401);
        }
    }

    @Test
    void tokens_that_a_session_from_before_the_rotation_yields_while_it_is_replaced_end_with_it() {
        SoftAuthenticator key = SoftAuthenticator.securityKey();
        OpenIdClient client;
        String cookie;
        try (Service before = at(Service.SECRET, "")) {
            client = OpenIdClient.register(before.admin(), "");
            cookie = Person.cookie(
                    before.person("replaced", key).enroll().login().expect(200));
        }
        try (Service during = at(NEXT, Service.SECRET)) {
            OpenIdClient here = client.at(during.web());
            Web browser = during.web().with("Cookie", cookie);
            String refreshToken =
                    here.redeem(here.code(browser)).expect(200).json().string("refresh_token");
            // As if the client got them after the login began.
            during.withSql(sql -> {
                sql.update("CREATE TABLE late AS SELECT * FROM porchlight_openid_authorization");
                return sql.update("CREATE TRIGGER arrives AFTER DELETE ON porchlight_sealed_entry"
                        + " BEGIN INSERT INTO porchlight_openid_authorization SELECT * FROM late; END");
            });

            browser.post(
                            Person.LOGIN_FINISH + Web.user("replaced"),
                            during.person("replaced", key).assertion())
                    .expect(200);

            assertThat(during.rows("porchlight_openid_authorization")).isEmpty();
            here.refresh(refreshToken).expect(400);
        }
    }

    @Test
    void instances_with_either_secret_first_accept_what_the_other_seals() {
        SoftAuthenticator key = SoftAuthenticator.securityKey();
        try (Service first = at(Service.SECRET, NEXT);
                Service second = at(NEXT, Service.SECRET)) {
            Person here = first.person("between", key).enroll();
            Person there = second.person("between", key);
            there.finishLogin(here.assertion()).expect(200);
            String cookie = Person.cookie(here.finishLogin(there.assertion()).expect(200));
            second.web().with("Cookie", cookie).get("/auth/session").expect(200);
            first.web()
                    .bearer(there.login().expect(200).json().string("token"))
                    .get("/auth/session")
                    .expect(200);
        }
    }

    private Service at(String secret, String previous) {
        return Service.at(clock, url, "SESSION_SECRET", secret, "SESSION_SECRET_PREVIOUS", previous);
    }
}
