// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static dev.porchlight.server.OpenIdClientAuthenticationTest.assertion;
import static dev.porchlight.server.OpenIdClientAuthenticationTest.proof;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.porchlight.server.openid.protocol.UsedTokens;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two instances, one of which is 45 seconds ahead. What it forgets, the other one no longer accepts. */
class SkewedClocksTest {
    private static final Duration AHEAD = Duration.ofSeconds(45);
    private static final String USERINFO = "http://localhost/oauth2/userinfo";

    private final MovableClock slow = new MovableClock();
    private final MovableClock fast = new MovableClock();
    private final String database = TestDatabase.SQLITE.freshUrl();
    private final Service behind = Service.at(slow, database);
    private final Service ahead = Service.at(fast, database);

    SkewedClocksTest() {
        fast.advance(AHEAD);
    }

    @AfterEach
    void close() {
        ahead.close();
        behind.close();
    }

    /** Both clocks move on, and the instance that is ahead forgets what has expired. */
    private void pass(Duration time) {
        slow.advance(time);
        fast.advance(time);
        ahead.withSql(sql -> {
            UsedTokens.removeExpired(sql, fast.millis());
            return true;
        });
    }

    @Test
    void an_assertion_is_accepted_once() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        String jwks = new JWKSet(key).toPublicJWKSet().toString();
        OpenIdClient client = OpenIdClient.register(behind.admin(), ",\"jwks\":" + jwks);
        pass(Duration.ofSeconds(6)); // the other instance looks for clients again
        String used = assertion(client.id(), key, slow.instant());
        String unused = assertion(client.id(), key, slow.instant());
        revoke(ahead, used).expect(200);

        pass(Duration.ofSeconds(70));

        revoke(behind, used).expect(401);
        revoke(behind, unused).expect(200);
    }

    private static TestResponse revoke(Service service, String assertion) {
        return service.web()
                .postForm(
                        "/oauth2/revoke",
                        Map.of(
                                "token",
                                "x",
                                "client_assertion_type",
                                "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                                "client_assertion",
                                assertion));
    }

    @Test
    void a_proof_is_accepted_once() throws Exception {
        OpenIdClient client = OpenIdClient.register(behind.admin(), ",\"public\":true");
        pass(Duration.ofSeconds(6));
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        String code = client.code(behind.newUser().enroll().bySession());
        String redemption = proof(key, "POST", URI.create("http://localhost/oauth2/token"), slow.instant(), null);
        String access = client.post(behind.web().with("DPoP", redemption), "/oauth2/token", client.redeeming(code))
                .expect(200)
                .json()
                .string("access_token");
        String used = proof(key, "GET", URI.create(USERINFO), slow.instant(), access);
        String unused = proof(key, "GET", URI.create(USERINFO), slow.instant(), access);
        userinfo(ahead, access, used).expect(200);

        pass(Duration.ofSeconds(70));

        userinfo(behind, access, used).expect(401);
        userinfo(behind, access, unused).expect(200);
    }

    private static TestResponse userinfo(Service service, String access, String proof) {
        return service.web()
                .with("Authorization", "DPoP " + access, "DPoP", proof)
                .get("/oauth2/userinfo");
    }

    @Test
    void a_pushed_request_yields_one_code() {
        OpenIdClient client = OpenIdClient.register(behind.admin(), "");
        pass(Duration.ofSeconds(6));
        String cookie = Person.cookie(behind.newUser().enroll().login().expect(200));
        List<String> sealed = List.of(pushed(client), pushed(client));
        assertThat(OpenIdClient.response(proceed(ahead, cookie, sealed.get(0)))).containsKey("code");

        pass(Duration.ofSeconds(890));

        proceed(behind, cookie, sealed.get(0)).expect(400);
        assertThat(OpenIdClient.response(proceed(behind, cookie, sealed.get(1))))
                .containsKey("code");
    }

    private static String pushed(OpenIdClient client) {
        String requestUri = client.post(client.authenticated(), "/oauth2/par", client.request())
                .expect(201)
                .json()
                .string("request_uri");
        return client.begin(Map.of("client_id", client.id(), "request_uri", requestUri));
    }

    private static TestResponse proceed(Service service, String cookie, String sealed) {
        Web browser = service.web().cookie(cookie);
        return OpenIdClient.proceed(browser, sealed);
    }
}
