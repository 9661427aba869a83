// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.Texts;
import dev.porchlight.passkey.attestation.AttestationPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the relying party. What a browser would never accept is a fault of the variable that says it. */
final class RelyingPartyReader {
    private static final PasskeyConfig ANY = new PasskeyConfig("Porchlight", "localhost", "http://localhost");

    /** An origin of another host than this machine. */
    private static final Pattern ELSEWHERE = Pattern.compile("https?://(?!localhost(?::|$)).+");

    private enum Attestation {
        NONE,
        DIRECT
    }

    private RelyingPartyReader() {}

    static PasskeyConfig read(Environment env, int port) {
        String name = env.checked(Variable.RP_NAME, ANY.rpName(), value -> Texts.require("the name", value));
        String rpId = rpId(env);
        boolean domain = isDomain(rpId);
        if (!domain) {
            env.fault(
                    Variable.RP_ID,
                    "is \"" + rpId + '"',
                    "a domain name in lower case is needed, without scheme and port, for example example.com");
        }
        boolean suffix = domain && PublicSuffixes.contains(rpId);
        if (suffix) {
            env.fault(
                    Variable.RP_ID,
                    "is " + rpId + ", a public suffix",
                    "anyone can register a name under it, and browsers refuse it: set your own domain, for example example."
                            + rpId);
        }
        String origin = origin(env, domain ? rpId : "example.com", port);
        PasskeyConfig party = domain && !suffix && origin != null ? party(env, name, rpId, origin) : ANY;
        for (String related : env.list(Variable.RP_RELATED_ORIGINS)) {
            accepts(env, Variable.RP_RELATED_ORIGINS, "has", related, ANY.toBuilder()::relatedOrigins);
        }
        boolean direct = env.choice(Variable.ATTESTATION, Attestation.NONE) == Attestation.DIRECT;
        PasskeyConfig.Builder builder = party.toBuilder()
                .userVerification(env.choice(Variable.USER_VERIFICATION, PasskeyConfig.DEFAULT_USER_VERIFICATION))
                .signCountPolicy(env.choice(Variable.SIGN_COUNT_POLICY, PasskeyConfig.DEFAULT_SIGN_COUNT_POLICY))
                .challengeTtl(Duration.ofMillis(env.number(
                        Variable.CHALLENGE_TTL_MS, (int) PasskeyConfig.DEFAULT_CHALLENGE_TTL.toMillis(), 1_000, (int)
                                PasskeyConfig.MAX_CHALLENGE_TTL.toMillis())))
                .maxPasskeysPerUser(env.number(
                        Variable.MAX_PASSKEYS_PER_USER, PasskeyConfig.DEFAULT_MAX_PASSKEYS_PER_USER, 1, 1_000))
                .attestation(direct ? AttestationPolicy.ACCEPT_UNTRUSTED : AttestationPolicy.NOT_REQUESTED, List.of());
        return env.faults().isEmpty()
                ? builder.relatedOrigins(Set.copyOf(env.list(Variable.RP_RELATED_ORIGINS)))
                        .build()
                : builder.build();
    }

    /** Whether this is meant to be a service for its own machine, as far as the variables tell, right or wrong. */
    static boolean isLocal(Environment env) {
        String origin = env.text(Variable.RP_ORIGIN);
        return isLocalhost(rpId(env))
                && (origin == null || !ELSEWHERE.matcher(origin).matches());
    }

    /** The origin where none is set: only a local service has one. */
    static Optional<String> defaultOrigin(Environment env, int port) {
        return isLocalhost(rpId(env))
                ? Optional.of(localOrigin(env.text(Variable.TLS_CERTIFICATE) != null, port))
                : Optional.empty();
    }

    private static PasskeyConfig party(Environment env, String name, String rpId, String origin) {
        try {
            return new PasskeyConfig(name, rpId, origin);
        } catch (IllegalArgumentException e) {
            String host = origin.replaceFirst("^https?://", "").replaceFirst(":.*", "");
            String fault = String.valueOf(e.getMessage()).replaceFirst("^rpId ", "");
            env.fault(Variable.RP_ID, "does not fit RP_ORIGIN", fault + "; set it to " + host + ", for example");
            return ANY;
        }
    }

    private static @Nullable String origin(Environment env, String rpId, int port) {
        String origin = env.text(Variable.RP_ORIGIN);
        if (origin != null) {
            return accepts(env, Variable.RP_ORIGIN, "is", origin, ANY.toBuilder()::topOrigins) ? origin : null;
        }
        Optional<String> standard = defaultOrigin(env, port);
        if (standard.isEmpty()) {
            env.fault(Variable.RP_ORIGIN, "is missing", "set the origin of the pages, for example https://" + rpId);
        }
        return standard.orElse(null);
    }

    /** Whether the library accepts an origin; if not, its reason becomes a fault, without the library's own name for it. */
    private static boolean accepts(
            Environment env, Variable variable, String verb, String origin, Consumer<Set<String>> check) {
        try {
            check.accept(Set.of(origin));
            return true;
        } catch (IllegalArgumentException e) {
            String quoted = '"' + origin + '"';
            String message = String.valueOf(e.getMessage());
            String fault =
                    message.substring(message.indexOf(quoted) + quoted.length()).strip();
            env.fault(variable, verb + ' ' + quoted, "it " + fault);
            return false;
        }
    }

    private static boolean isDomain(String rpId) {
        try {
            return new PasskeyConfig(ANY.rpName(), rpId, "https://" + rpId)
                    .rpId()
                    .equals(rpId);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String rpId(Environment env) {
        return Objects.requireNonNullElse(env.text(Variable.RP_ID), ANY.rpId());
    }

    private static boolean isLocalhost(String rpId) {
        return rpId.equals(ANY.rpId());
    }

    private static String localOrigin(boolean tls, int port) {
        String origin = (tls ? "https" : "http") + "://localhost";
        return port == 0 || port == (tls ? 443 : 80) ? origin : origin + ':' + port;
    }
}
