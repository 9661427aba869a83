// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Transport;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;

/** A user with a simulated browser. Each ceremony is one trace, as in the client helper. */
final class Visitor {
    private final Random random = new Random();
    private final Site site;
    private final Person person;
    private Web trace;

    Visitor(Site site, String userId, String userAgent, SoftAuthenticator authenticator) {
        this.site = site;
        Web web = new Web(Transport.to(URI.create(site.origin()), Duration.ofMinutes(1))).with("User-Agent", userAgent);
        this.person = new Person(web, site.origin(), userId, authenticator);
        this.trace = web;
    }

    /** Registers a passkey with an enrollment token. */
    void enroll(String enrollment) {
        begin();
        Web enrolling = trace.bearer(enrollment);
        TestResponse options = enrolling.get(Person.REGISTER_OPTIONS);
        person.finishRegistration(enrolling, options);
        report("registration", "ok", options);
    }

    void signIn() {
        TestResponse options = begin().options();
        TestResponse login = person.at(trace).finishLogin(person.respond(options));
        report("login", "ok", options);
        trace.bearer(login.field("token")).get(Person.CREDENTIALS);
    }

    /** Signs in with a mutated response. */
    void signIn(Mutation mutation) {
        TestResponse options = begin().options();
        person.at(trace).finishLogin(person.browser().get(options.body(), mutation));
        report("login", "refused", options);
    }

    /** Requests options and abandons the prompt. */
    void abandon(String outcome) {
        report("login", outcome, begin().options());
    }

    private void report(String ceremony, String outcome, TestResponse options) {
        JsonObject report = new JsonObject()
                .put("ceremony", ceremony)
                .put("outcome", outcome)
                .put("elapsedMs", 900L + random.nextInt(4000))
                .put("origin", site.origin())
                .put("rpId", "localhost")
                .put("challenge", options.field("challenge"))
                .put("userId", person.userId());
        trace.post("/auth/passkey/report", report.toString());
    }

    /** Begins a trace. */
    private Person begin() {
        byte[] id = new byte[16];
        random.nextBytes(id);
        String hex = HexFormat.of().formatHex(id);
        trace = person.web().with("traceparent", "00-" + hex + "-" + hex.substring(16) + "-01");
        return person.at(trace);
    }
}
