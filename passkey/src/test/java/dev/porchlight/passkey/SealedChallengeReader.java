// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.ChallengeKeeper.Issued;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;

/** Reads sealed challenges with a fixed key, for the fuzz target in another package. */
public final class SealedChallengeReader {
    /** The only challenge in the corpus that was sealed with the key. */
    public static final String GENUINE = "get_AQGbeXJp4AcHBwcHBwcHBwcHBwcHBwccDPvxZ0GewmdbUswwrLVm";

    private static final SealedChallenges SEALED = new SealedChallenges(
            () -> List.of("the key of today, thirty-two byt".getBytes(UTF_8)), "example.com", new SecureRandom());

    private SealedChallengeReader() {}

    /** Reads a challenge for alice. Refuses it if it was not sealed. */
    public static String read(String text) throws MalformedException {
        Issued issued = SEALED.take("alice", text, Instant.parse("2026-01-01T12:00:00Z"));
        if (issued == null) {
            throw new MalformedException("challenge", "not sealed with this key");
        }
        return issued.challenge().challenge();
    }
}
