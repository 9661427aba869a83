// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.config.Config;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * What the checks need, and their results in order. Not thread-safe.
 *
 * @param url the public URL, or null if it is not checked
 * @param client the only OpenID Connect client that is checked, by its flow; null for all of them
 * @param clock this machine's clock
 * @param trust decides which certificates browsers accept
 * @param timeout for each response of a service
 */
record Examination(
        Config config,
        @Nullable URI url,
        @Nullable String client,
        InstantSource clock,
        X509ExtendedTrustManager trust,
        Duration timeout,
        List<Diagnosis> results) {
    private static final Duration SKEW = Duration.ofMinutes(1);

    Examination(
            Config config,
            @Nullable URI url,
            @Nullable String client,
            InstantSource clock,
            X509ExtendedTrustManager trust,
            Duration timeout) {
        this(config, url, client, clock, trust, timeout, new ArrayList<>());
    }

    void ok(String what) {
        results.add(new Diagnosis(Diagnosis.State.OK, what, ""));
    }

    void problem(String what, String fix) {
        results.add(new Diagnosis(Diagnosis.State.PROBLEM, what, fix));
    }

    void warning(String what) {
        results.add(Diagnosis.warning(what));
    }

    void skipped(String what) {
        results.add(Diagnosis.skipped(what));
    }

    /** Adds the result of a check, and returns it. */
    boolean expect(boolean right, String what, String problem, String fix) {
        if (right) {
            ok(what);
        } else {
            problem(problem, fix);
        }
        return right;
    }

    /** Compares this machine's clock with another. */
    void expectClock(String whose, Instant theirs) {
        Duration apart = Duration.between(theirs, clock.instant()).abs();
        expect(
                apart.compareTo(SKEW) <= 0,
                "the clock agrees with " + whose,
                "the clock differs from " + whose + " by " + apart.toSeconds()
                        + " s: tokens and challenges would expire at the wrong time",
                "timedatectl set-ntp true");
    }
}
