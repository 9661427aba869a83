// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.metadata;

import dev.porchlight.drill.metadata.MetadataSite.State;
import dev.porchlight.drill.scenario.FakeClock;
import dev.porchlight.drill.scenario.Services.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/** R49: the metadata of authenticators at its URL is invalid or unreachable. */
public final class MetadataFaults {
    private static final List<State> FAULTS = List.of(
            State.OLDER,
            State.EXPIRED,
            State.IMPOSTOR,
            State.CHANGED,
            State.TRUNCATED,
            State.CUT,
            State.UNAVAILABLE,
            State.HUNG,
            State.DOWN);
    private static final String DUE = "should have been replaced on";
    private static final Duration NEXT_REQUEST = Duration.ofHours(25);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final TestBed bed;
    private final FakeClock clock;
    private int logins;
    private int loggedIn;
    private int inForce;
    private int warnings;
    private int users;
    private int counted;
    private int logged;

    private MetadataFaults(TestBed bed) throws IOException {
        this.bed = bed;
        this.clock = new FakeClock(bed);
    }

    public static void run(TestBed bed) throws Exception {
        new MetadataFaults(bed).run();
    }

    private void run() throws Exception {
        try (MetadataSite site = new MetadataSite()) {
            site.become(State.GOOD);
            Launch launch = clock.on(bed.service())
                    .with("FAKETIME_DONT_FAKE_MONOTONIC", "0") // the service waits a day for its next request
                    .with("METADATA_URL", site.url())
                    .with("METADATA_ROOTS", roots().toString())
                    .with("ATTESTATION", "direct");
            Restartable service = new Restartable(bed, launch);
            Instance first = service.running();
            await("the first metadata", () -> count(first, "ok") == 1);
            Person ada = person(first, "ada", MetadataSite.NAMED).enroll();
            int restarts = 0;
            for (State fault : FAULTS) {
                site.become(fault);
                int requests = site.requests();
                advance(NEXT_REQUEST, service.running());
                expectInForce(site, requests, fault, service.running(), ada);
                if (fault == State.DOWN || bed.rounds(1, 0) > 0) {
                    restarts++;
                    requests = site.requests();
                    service.running().kill();
                    counted = 0;
                    expectInForce(site, requests, fault, service.running(), ada);
                }
            }
            int rounds = FAULTS.size() + restarts;
            bed.expect(
                    inForce == rounds,
                    "%d faults in a running service, %d at its start after kill -9: the last good metadata stays in force %d times",
                    FAULTS.size(),
                    restarts,
                    inForce);
            bed.expect(warnings == rounds, "%d warnings with the reason, each counted", warnings);
            bed.expect(loggedIn == logins, "%d of %d logins succeed", loggedIn, logins);
            bed.expect(service.running().log().contains(DUE), "a warning that newer metadata is due");
            site.become(State.NEWER);
            Instance last = service.running();
            advance(NEXT_REQUEST, last);
            await("newer metadata", () -> count(last, "ok") == 1);
            bed.expect(!isInForce(last, ada), "newer metadata is used afterwards");
        }
    }

    private Path roots() throws Exception {
        byte[] root = SoftAuthenticator.attestationRoot().getEncoded();
        return Files.writeString(
                bed.directory().resolve("roots.pem"),
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(root)
                        + "\n-----END CERTIFICATE-----\n");
    }

    private void advance(Duration time, Instance instance) throws IOException, InterruptedException {
        try (Connection fresh = instance.connect()) { // an older one has been idle for too long
            clock.advance(time, fresh);
        }
    }

    private void await(String what, Event event) throws IOException, InterruptedException {
        if (!event.await(bed.limit(Duration.ofSeconds(60)))) {
            throw new IOException("waited too long for " + what);
        }
    }

    private static double count(Instance instance, String result) throws IOException {
        return instance.metric("metadata_refreshes_total{result=\"" + result + "\"}");
    }

    /** Signs in before and after the refresh has failed. */
    private void expectInForce(MetadataSite site, int requests, State fault, Instance instance, Person ada)
            throws IOException, InterruptedException {
        signIn(instance, ada);
        if (fault == State.HUNG) {
            await("a request", () -> site.requests() > requests);
            advance(TIMEOUT, instance);
        }
        counted++;
        await(fault.warning, () -> count(instance, "failed") >= counted);
        signIn(instance, ada);
        inForce += isInForce(instance, ada) ? 1 : 0;
        Event warned = () -> { // a line arrives after what it reports
            String log = instance.log().substring(logged);
            return log.contains("could not be refreshed") && log.contains(fault.warning);
        };
        warnings += warned.await(bed.limit(Duration.ofSeconds(10))) ? 1 : 0;
        logged = instance.log().length();
    }

    private void signIn(Instance instance, Person person) throws IOException {
        try (Connection connection = instance.connect()) {
            for (int i = 0; i < bed.rounds(10, 2); i++) {
                logins++;
                loggedIn += person.at(connection).tryLogin().ok() ? 1 : 0;
            }
        }
    }

    /** Whether a model that metadata 7 reports as compromised is refused, and another has its name. */
    private boolean isInForce(Instance instance, Person ada) throws IOException {
        Person other = person(instance, "other-" + ++users, MetadataSite.COMPROMISED);
        TestResponse refused = other.register(other.enrollmentToken());
        try (Connection connection = instance.connect()) {
            String passkeys =
                    ada.at(connection).byToken().get(Person.CREDENTIALS).body();
            return refused.field("code").equals("authenticator_not_allowed")
                    && passkeys.contains('"' + MetadataSite.NAME + '"');
        }
    }

    private Person person(Instance instance, String userId, UUID model) {
        SoftAuthenticator authenticator = SoftAuthenticator.builder()
                .aaguid(model)
                .attestation(AttestationFormat.PACKED)
                .build();
        Web web = new Web(bed.stopAtEnd(instance.connect()));
        return new Person(web, instance.address().toString(), userId, authenticator);
    }
}
