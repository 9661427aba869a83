// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients got from a sign-in ends with the user's access, and clients that registered for it are notified. */
class OpenIdEndTest {
    private static final Map<String, BlockingQueue<String>> NOTICES = new ConcurrentHashMap<>();
    private static final CountDownLatch END = new CountDownLatch(1);
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();
    private static Service service;
    private static HttpServer applications;

    @BeforeAll
    static void start() throws IOException {
        service = Service.on(TestDatabase.SQLITE);
        applications = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        applications.setExecutor(THREADS);
        applications.createContext("/", OpenIdEndTest::accept);
        applications.start();
    }

    @AfterAll
    static void stop() {
        END.countDown();
        service.close();
        applications.stop(0);
        THREADS.shutdownNow();
    }

    private static void accept(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
        notices(path).add(body);
        try {
            if (path.startsWith("/hang")) {
                END.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    private static BlockingQueue<String> notices(String path) {
        return NOTICES.computeIfAbsent(path, key -> new LinkedBlockingQueue<>());
    }

    /** A client whose notices arrive under this path. */
    private static OpenIdClient clientAt(String path) {
        return clientAt(path, "");
    }

    private static OpenIdClient clientAt(String path, String settings) {
        return OpenIdClient.register(
                service.admin(),
                ",\"backChannelLogoutUri\":\"http://127.0.0.1:"
                        + applications.getAddress().getPort() + path + "\"" + settings);
    }

    private static JWTClaimsSet notice(String path) throws Exception {
        String body = notices(path).poll(Patience.SECONDS, TimeUnit.SECONDS);
        assertThat(body).as("a notice at " + path).startsWith("logout_token=");
        SignedJWT token = SignedJWT.parse(body.substring("logout_token=".length()));
        assertThat(token.getHeader().getType().getType()).isEqualTo("logout+jwt");
        return token.getJWTClaimsSet();
    }

    private static String encoded(Person person) {
        return URLEncoder.encode(person.userId(), StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    void an_access_token_that_was_used_before_ends_with_its_signing_key_and_when_it_expires() {
        OpenIdClient client = OpenIdClient.register(service.admin(), "");
        Web browser = service.newUser().enroll().bySession();
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();
        String access = tokens.string("access_token");
        client.userinfo(access).expect(200);
        client.userinfo(access + "A").expect(401);

        service.withSql(sql -> sql.update("UPDATE porchlight_signing_key SET kid = 'removed ' || kid"));
        client.userinfo(access).expect(401);
        service.web()
                .get("/oauth2/logout?id_token_hint=" + tokens.string("id_token"))
                .expect(200); // which leads to the question
        service.withSql(sql -> sql.update("UPDATE porchlight_signing_key SET kid = SUBSTR(kid, 9)"));

        client.userinfo(access).expect(200);
        service.clock().advance(Duration.ofMinutes(15));
        client.userinfo(access).expect(401);
    }

    @Test
    void revoking_all_tokens_ends_refresh_tokens_too() {
        try (Service own = Service.on(TestDatabase.SQLITE)) {
            OpenIdClient client = OpenIdClient.register(own.admin(), "");
            Web browser = own.newUser().enroll().bySession();
            JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();

            CliRun rotation = CliRun.of(
                    Map.of("DATABASE_URL", own.databaseUrl(), "SESSION_SECRET", Service.SECRET),
                    "keys",
                    "rotate",
                    "--now");

            assertThat(rotation.status()).as(rotation.err()).isZero();
            client.refresh(tokens.string("refresh_token")).expect(400);
            client.userinfo(tokens.string("access_token")).expect(401);
            browser.get("/auth/session").expect(200);
        }
    }

    @Test
    void a_user_who_leaves_the_group_loses_the_tokens() {
        OpenIdClient limited = OpenIdClient.register(service.admin(), ",\"groups\":[\"crew\"]");
        Person person = service.newUser().enroll();
        String membership = "/admin/groups/crew/" + encoded(person);
        service.admin().post(membership).expect(204);
        Web browser = person.bySession();
        JsonObject tokens = limited.redeem(limited.code(browser)).expect(200).json();
        limited.userinfo(tokens.string("access_token")).expect(200);
        String code = limited.code(browser);

        service.admin().delete(membership).expect(204);

        limited.userinfo(tokens.string("access_token")).expect(401);
        assertThat(limited.redeem(code).expect(400).json().string("code")).isEqualTo("invalid_code");
        JsonObject refused =
                limited.refresh(tokens.string("refresh_token")).expect(400).json();
        assertThat(refused.string("error")).isEqualTo("invalid_grant");
        assertThat(refused.string("code")).isEqualTo("invalid_refresh_token");
    }

    /** After a command, what ends the user's other sign-ins, or the next sweep, finds what is left to report. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_client_is_notified_when_a_user_leaves_its_group_even_if_they_join_again(boolean byCommand) throws Exception {
        String path = "/" + UUID.randomUUID();
        OpenIdClient limited = clientAt(path, ",\"groups\":[\"watch\"]");
        Person person = service.newUser().enroll();
        String membership = "/admin/groups/watch/" + encoded(person);
        service.admin().post(membership).expect(204);
        Web browser = person.bySession();
        JsonObject tokens = limited.tokens(browser);
        limited.code(browser); // which is not redeemed

        if (byCommand) {
            CliRun run = CliRun.of(
                    Map.of("DATABASE_URL", service.databaseUrl(), "SESSION_SECRET", Service.SECRET),
                    "groups",
                    "remove",
                    "watch",
                    person.userId());
            assertThat(run.status()).as(run.err()).isZero();
        } else {
            service.admin().delete(membership).expect(204);
        }
        service.admin().post(membership).expect(204);
        if (byCommand) {
            service.admin()
                    .post("/admin/users/" + encoded(person) + "/sign-out")
                    .expect(204);
        }

        JWTClaimsSet notice = notice(path);
        JWTClaimsSet id = SignedJWT.parse(tokens.string("id_token")).getJWTClaimsSet();
        assertThat(notice.getSubject()).isEqualTo(id.getSubject());
        assertThat(notice.getStringClaim("sid")).isEqualTo(id.getStringClaim("sid"));
        assertThat(notices(path)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"logout", "everywhere", "lock", "sign-out", "erase", "passkey", "consent", "session"})
    void clients_are_notified_when_access_ends(String end) throws Exception {
        String path = "/" + UUID.randomUUID();
        OpenIdClient client = clientAt(path);
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();

        String user = "/admin/users/" + encoded(person);
        switch (end) {
            case "logout" -> browser.post("/auth/logout").expect(204);
            case "everywhere" -> browser.post("/auth/logout?everywhere=true").expect(204);
            case "erase" -> service.admin().delete(user).expect(204);
            case "passkey" ->
                browser.delete("/auth/passkey/credentials/" + person.credentialId() + "?force=true")
                        .expect(200);
            case "consent" -> change(client, "\"consent\":true");
            case "session" -> change(client, "\"refreshSeconds\":3600");
            default -> service.admin().post(user + "/" + end).expect(204);
        }

        JWTClaimsSet notice = notice(path);
        JWTClaimsSet id = SignedJWT.parse(tokens.string("id_token")).getJWTClaimsSet();
        assertThat(notice.getSubject()).isEqualTo(id.getSubject()).isNotEqualTo(person.userId());
        assertThat(notice.getAudience()).containsExactly(client.id());
        assertThat(notice.getStringClaim("sid")).isEqualTo(id.getStringClaim("sid"));
        assertThat(notice.getJSONObjectClaim("events"))
                .containsKey("http://schemas.openid.net/event/backchannel-logout");
        client.refresh(tokens.string("refresh_token")).expect(400);
    }

    private static void change(OpenIdClient client, String settings) {
        service.admin()
                .patch("/admin/clients/" + client.id(), "{" + settings + "}")
                .expect(200);
    }

    @Test
    void a_client_that_hangs_does_not_delay_others() throws Exception {
        OpenIdClient hanging = clientAt("/hang");
        OpenIdClient other = clientAt("/other");
        Person person = service.newUser().enroll();
        for (int i = 0; i < 6; i++) {
            hanging.redeem(hanging.code(person.bySession())).expect(200);
        }
        Web browser = person.bySession();
        other.redeem(other.code(browser)).expect(200);

        browser.post("/auth/logout?everywhere=true").expect(204);

        notice("/other");
        notice("/hang");
        assertThat(service.metrics()).doesNotContain("openid_logout_notices_total{result=\"retried\"}");
    }
}
