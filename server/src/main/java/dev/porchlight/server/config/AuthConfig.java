// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.limit.ClientAddresses;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Who may do what, and for how long.
 *
 * @param sessionSecret absent when one is to be generated into the data directory
 * @param previousSecret a further secret that is accepted while the secret is rotated
 * @param adminToken absent when the admin routes are for loopback only, or for nobody
 * @param signupOpen whether anybody may create a first passkey
 * @param recentLogin how old a sign-in may be to add or remove a passkey
 * @param rateLimitPerMinute 0 for no limit
 */
public record AuthConfig(
        Optional<String> sessionSecret,
        Optional<String> previousSecret,
        Optional<String> adminToken,
        boolean signupOpen,
        LoginResult loginResult,
        Duration tokenTtl,
        Duration sessionTtl,
        Duration recentLogin,
        int rateLimitPerMinute,
        ClientAddresses clients) {
    private static final int DAY_SECONDS = 86_400;

    /** What a login yields. */
    public enum LoginResult {
        TOKEN,
        SESSION,
        BOTH;

        public boolean token() {
            return this != SESSION;
        }

        public boolean session() {
            return this != TOKEN;
        }
    }

    private enum Signup {
        OPEN,
        CLOSED
    }

    static AuthConfig read(Environment env, boolean local) {
        String secret = env.text(Variable.SESSION_SECRET);
        if (secret == null && !local) {
            env.fault(
                    Variable.SESSION_SECRET,
                    "is missing",
                    "set at least 32 random bytes, as from: openssl rand -hex 32");
        } else if (secret != null && secret.getBytes(StandardCharsets.UTF_8).length < 32) {
            env.fault(
                    Variable.SESSION_SECRET,
                    "is too short",
                    "at least 32 bytes are needed, as from: openssl rand -hex 32");
        } else if (secret != null) {
            SecretStrength.check(env, Variable.SESSION_SECRET, secret);
        }
        String previousSecret = env.text(Variable.SESSION_SECRET_PREVIOUS);
        if (previousSecret != null && previousSecret.getBytes(StandardCharsets.UTF_8).length < 32) {
            env.fault(
                    Variable.SESSION_SECRET_PREVIOUS,
                    "is too short",
                    "set the SESSION_SECRET that was replaced, or unset it");
        } else if (previousSecret != null && previousSecret.equals(secret)) {
            env.fault(
                    Variable.SESSION_SECRET_PREVIOUS,
                    "is SESSION_SECRET",
                    "set the one that was replaced, or unset it");
        }
        String adminToken = env.text(Variable.ADMIN_TOKEN);
        if (adminToken != null && adminToken.length() < 16) {
            env.fault(Variable.ADMIN_TOKEN, "is too short", "at least 16 characters are needed");
        } else if (adminToken != null && !adminToken.matches("[ -~]+")) {
            env.fault(
                    Variable.ADMIN_TOKEN,
                    "cannot be sent in a header",
                    "printable ASCII is needed, as from: openssl rand -hex 32");
        } else if (adminToken != null) {
            SecretStrength.check(env, Variable.ADMIN_TOKEN, adminToken);
        }
        env.checked(Variable.TRUSTED_PROXIES, "", v -> new ClientAddresses(env.list(Variable.TRUSTED_PROXIES)));
        return new AuthConfig(
                Optional.ofNullable(secret),
                Optional.ofNullable(previousSecret),
                Optional.ofNullable(adminToken),
                env.choice(Variable.SIGNUP, local ? Signup.OPEN : Signup.CLOSED) == Signup.OPEN,
                env.choice(Variable.LOGIN_RESULT, LoginResult.BOTH),
                seconds(env.number(Variable.TOKEN_TTL_SECONDS, 900, 1, DAY_SECONDS)),
                seconds(env.number(Variable.SESSION_TTL_SECONDS, 43_200, 1, 400 * DAY_SECONDS)),
                seconds(env.number(Variable.RECENT_LOGIN_SECONDS, 300, 1, DAY_SECONDS)),
                env.number(Variable.RATE_LIMIT_PER_MINUTE, 120, 0, 1_000_000),
                env.isFaulty(Variable.TRUSTED_PROXIES)
                        ? new ClientAddresses(List.of())
                        : new ClientAddresses(env.list(Variable.TRUSTED_PROXIES)));
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
