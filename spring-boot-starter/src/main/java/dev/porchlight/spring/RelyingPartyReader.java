// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.passkey.Extensions;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyServiceBuilder;
import dev.porchlight.spring.PorchlightProperties.RelyingParty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds the library's configuration from the properties, and reports all faults at once. Not thread-safe. */
final class RelyingPartyReader {
    private final List<String> faults = new ArrayList<>();

    static byte @Nullable [] key(@Nullable String secret) {
        return secret == null ? null : secret.getBytes(StandardCharsets.UTF_8);
    }

    PasskeyConfig read(RelyingParty party, PorchlightProperties properties) {
        PasskeyConfig.Builder config = relyingParty(party);
        for (String related : party.relatedOrigins()) {
            checked("related-origins", Set.of(related), config::relatedOrigins);
        }
        checked("top-origins", Set.copyOf(party.topOrigins()), config::topOrigins);
        checked("hints", party.hints(), config::hints);
        checked("extensions", party.extensions(), names -> config.extensions(Extensions.of(names)));
        checked("user-verification", party.userVerification(), config::userVerification);
        checked("algorithms", party.algorithms(), config::algorithms);
        checked("sign-count-policy", party.signCountPolicy(), config::signCountPolicy);
        checked("challenge-ttl", party.challengeTtl(), config::challengeTtl);
        checked("max-passkeys-per-user", party.maxPasskeysPerUser(), config::maxPasskeysPerUser);
        checkKey("challenge-key", properties.challengeKey());
        checkKey("previous-challenge-key", properties.previousChallengeKey());
        checkKey("decoy-key", properties.decoyKey());
        if (properties.previousChallengeKey() != null && properties.challengeKey() == null) {
            faults.add("porchlight.previous-challenge-key: requires porchlight.challenge-key");
        }
        if (!faults.isEmpty()) {
            throw new InvalidPropertiesException(faults);
        }
        return config.relatedOrigins(Set.copyOf(party.relatedOrigins())).build();
    }

    /** Checks the name and the origin separately, and the id against the origin. After a fault, a placeholder is used. */
    private PasskeyConfig.Builder relyingParty(RelyingParty party) {
        String name = required("rp-name", party.rpName(), "My App");
        String rpId = required("rp-id", party.rpId(), "example.com");
        String origin = required("origin", party.origin(), "https://example.com");
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
    private <T> boolean checked(String property, @Nullable T value, Consumer<T> setter) {
        if (value == null) {
            return false;
        }
        try {
            setter.accept(value);
            return true;
        } catch (IllegalArgumentException e) {
            faults.add("porchlight." + property + ": " + e.getMessage());
            return false;
        }
    }
}
