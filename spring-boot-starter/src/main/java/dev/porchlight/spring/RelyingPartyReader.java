// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyServiceBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the library's configuration of the properties, and tells all that is wrong with them at once. For one call. */
final class RelyingPartyReader {
    private static final PasskeyConfig ANY = new PasskeyConfig("Porchlight", "localhost", "http://localhost");

    private final List<String> faults = new ArrayList<>();

    private RelyingPartyReader() {}

    /** A value that the library refuses is refused with the library's own words. */
    @FunctionalInterface
    private interface Attempt {
        Object with(String value);
    }

    static PasskeyConfig read(PorchlightProperties properties) {
        return new RelyingPartyReader().config(properties);
    }

    /** A secret's bytes, or null if it is not given. */
    static byte @Nullable [] key(@Nullable String secret) {
        return secret == null ? null : secret.getBytes(StandardCharsets.UTF_8);
    }

    private PasskeyConfig config(PorchlightProperties properties) {
        String name = given("rp-name", properties.rpName(), "My App");
        String rpId = given("rp-id", properties.rpId(), "example.com");
        String origin = given("origin", properties.origin(), "https://example.com");
        checked("rp-name", name, value -> new PasskeyConfig(value, ANY.rpId(), ANY.origin()));
        boolean sound = checked("origin", origin, PasskeyConfig::requireOrigin);
        if (sound && origin != null) {
            checked("rp-id", rpId, value -> new PasskeyConfig(ANY.rpName(), value, origin));
        }
        for (String related : properties.relatedOrigins()) {
            checked("related-origins", related, value -> ANY.toBuilder().relatedOrigins(Set.of(value)));
        }
        checked("challenge-ttl", "", value -> ANY.toBuilder().challengeTtl(properties.challengeTtl()));
        checked("max-passkeys-per-user", "", value -> ANY.toBuilder().maxPasskeysPerUser(properties.maxPasskeysPerUser()));
        checkKey("challenge-key", properties.challengeKey());
        checkKey("previous-challenge-key", properties.previousChallengeKey());
        checkKey("decoy-key", properties.decoyKey());
        if (properties.previousChallengeKey() != null && properties.challengeKey() == null) {
            faults.add("porchlight.previous-challenge-key: needs porchlight.challenge-key beside it");
        }
        if (name == null || rpId == null || origin == null || !faults.isEmpty()) {
            throw new InvalidPropertiesException(faults);
        }
        return PasskeyConfig.builder(name, rpId, origin)
                .relatedOrigins(Set.copyOf(properties.relatedOrigins()))
                .userVerification(properties.userVerification())
                .signCountPolicy(properties.signCountPolicy())
                .challengeTtl(properties.challengeTtl())
                .maxPasskeysPerUser(properties.maxPasskeysPerUser())
                .build();
    }

    private void checkKey(String property, @Nullable String secret) {
        byte[] key = key(secret);
        if (key != null && key.length < PasskeyServiceBuilder.MIN_KEY_BYTES) {
            faults.add(
                    "porchlight." + property + ": has " + key.length + " bytes, and needs " + PasskeyServiceBuilder.MIN_KEY_BYTES + " at least");
        }
    }

    private @Nullable String given(String property, @Nullable String value, String example) {
        if (value != null && !value.isBlank()) {
            return value;
        }
        faults.add("porchlight." + property + ": is not set; for example " + example);
        return null;
    }

    private boolean checked(String property, @Nullable String value, Attempt attempt) {
        if (value == null) {
            return false;
        }
        try {
            attempt.with(value);
            return true;
        } catch (IllegalArgumentException e) {
            faults.add("porchlight." + property + ": " + e.getMessage());
            return false;
        }
    }
}
