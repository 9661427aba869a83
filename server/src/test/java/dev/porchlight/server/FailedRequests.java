// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.SupportCode;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A service with one user, requests that fail with a known support code, and what the service explains about them. */
abstract class FailedRequests {
    static final String ROUTE = "/admin/ceremonies/";
    static final String TRACE = "9b8977abcdef01230123456789abcdef";
    static final String TRACE_PARENT = "00-" + TRACE + "-0123456789abcdef-01";
    static final String CODE = SupportCode.of(TRACE);

    Service service;
    Person ada;
    /** A browser whose requests have the support code. */
    Web traced;

    @BeforeEach
    void start() {
        service = Service.on(TestDatabase.SQLITE);
        ada = service.person("ada", SoftAuthenticator.securityKey()).enroll();
        trace();
    }

    void trace() {
        traced = service.web().with("traceparent", TRACE_PARENT);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    TestResponse issue(String userId, long seconds) {
        String body = new JsonObject()
                .put("userId", userId)
                .put("ttlSeconds", seconds)
                .toString();
        return service.admin().post("/admin/enrollments", body).expect(201);
    }

    TestResponse open(String token) {
        return traced.bearer(token).get(Person.REGISTER_OPTIONS);
    }

    JsonObject options(String userId) {
        return traced.get(Person.LOGIN_OPTIONS + Web.user(userId)).expect(200).json();
    }

    /** A sign-in with this name that ends in the browser. */
    void report(String outcome, String error, String userId) {
        report("login", outcome, error, options(userId).string("challenge"), userId);
    }

    void report(String ceremony, String outcome, String error, String challenge, String userId) {
        traced.post(
                        "/auth/passkey/report",
                        new JsonObject()
                                .put("ceremony", ceremony)
                                .put("outcome", outcome)
                                .put("error", error)
                                .put("challenge", challenge)
                                .put("userId", userId)
                                .toString())
                .expect(204);
    }

    JsonObject find() {
        return find(CODE);
    }

    JsonObject find(String code) {
        return service.admin()
                .get(ROUTE + code)
                .expect(200)
                .json()
                .objects("ceremonies")
                .get(0);
    }

    static JsonObject fact(JsonObject found, String name) {
        return found.objects("facts").stream()
                .filter(fact -> fact.string("name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(found.toString()));
    }

    static List<String> factNames(JsonObject found) {
        return found.objects("facts").stream().map(fact -> fact.string("name")).toList();
    }
}
