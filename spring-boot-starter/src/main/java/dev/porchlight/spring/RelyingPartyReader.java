// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyServiceBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the library's configuration from the properties, and reports all faults at once. Not thread-safe. */
final class RelyingPartyReader {
    private final List<String> faults = new ArrayList<>();

    /** Sets a value, or refuses it with an {@link IllegalArgumentException}. */
    @FunctionalInterface
    private interface Setter<T> {
        Object set(T value);
    }

    private RelyingPartyReader() {}

    static PasskeyConfig read(PorchlightProperties properties) {
        return new RelyingPartyReader().config(properties);
    }

    /** Returns the bytes of a secret, or null if it is not set. */
    static byte @Nullable [] key(@Nullable String secret) {
        return secret == null ? null : secret.getBytes(StandardCharsets.UTF_8);
    }

    private PasskeyConfig config(PorchlightProperties properties) {
        PasskeyConfig.Builder config = relyingParty(properties);
        for (String related : properties.relatedOrigins()) {
            checked("related-origins", Set.of(related), config::relatedOrigins);
        }
        checked("user-verification", properties.userVerification(), config::userVerification);
        checked("algorithms", properties.algorithms(), config::algorithms);
        checked("sign-count-policy", properties.signCountPolicy(), config::signCountPolicy);
        checked("challenge-ttl", properties.challengeTtl(), config::challengeTtl);
        checked("max-passkeys-per-user", properties.maxPasskeysPerUser(), config::maxPasskeysPerUser);
        checkKey("challenge-key", properties.challengeKey());
        checkKey("previous-challenge-key", properties.previousChallengeKey());
        checkKey("decoy-key", properties.decoyKey());
        if (properties.previousChallengeKey() != null && properties.challengeKey() == null) {
            faults.add("porchlight.previous-challenge-key: requires porchlight.challenge-key");
        }
        if (!faults.isEmpty()) {
            throw new InvalidPropertiesException(faults);
        }
        return config.relatedOrigins(Set.copyOf(properties.relatedOrigins())).build();
    }

    /**
     * Checks the name and the origin separately, and the id against the origin. After a fault, a placeholder is used.
     */
    private PasskeyConfig.Builder relyingParty(PorchlightProperties properties) {
        String name = required("rp-name", properties.rpName(), "My App");
        String rpId = required("rp-id", properties.rpId(), "example.com");
        String origin = required("origin", properties.origin(), "https://example.com");
        boolean named = checked("rp-name", name, RelyingPartyReader::named);
        if (origin == null || !checked("origin", origin, PasskeyConfig::requireOrigin)) {
            return named("any");
        }
        boolean fits = checked("rp-id", rpId, value -> PasskeyConfig.builder("any", value, origin));
        return name == null || rpId == null || !named || !fits
                ? named("any")
                : PasskeyConfig.builder(name, rpId, origin);
    }

    private static PasskeyConfig.Builder named(String name) {
        return PasskeyConfig.builder(name, "localhost", "http://localhost");
    }

    private void checkKey(String property, @Nullable String secret) {
        byte[] key = key(secret);
        if (key != null && key.length < PasskeyServiceBuilder.MIN_KEY_BYTES) {
            faults.add("porchlight." + property + ": has " + key.length + " bytes, but needs at least "
                    + PasskeyServiceBuilder.MIN_KEY_BYTES);
        }
    }

    private @Nullable String required(String property, @Nullable String value, String example) {
        if (value != null && !value.isBlank()) {
            return value;
        }
        faults.add("porchlight." + property + ": is not set; for example " + example);
        return null;
    }

    /** Returns whether a value is set and accepted by the library. The fault is the library's message. */
    private <T> boolean checked(String property, @Nullable T value, Setter<T> setter) {
        if (value == null) {
            return false;
        }
        try {
            setter.set(value);
            return true;
        } catch (IllegalArgumentException e) {
            faults.add("porchlight." + property + ": " + e.getMessage());
            return false;
        }
    }
}
