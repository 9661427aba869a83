// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.openid.protocol.UsedTokens;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Valid authorization requests, sealed for their way through the browser or the client that pushed them. Thread-safe. */
public final class SealedRequests {
    /** How long a user may take to sign in. */
    static final Duration LIFETIME = Duration.ofMinutes(15);

    /** How long a pushed request can be used. */
    static final Duration PUSHED_LIFETIME = Duration.ofSeconds(60);

    private static final String PUSHED_PREFIX = "urn:ietf:params:oauth:request_uri:";
    private static final String IN_BROWSER = "authorization request";
    private static final String PUSHED = "pushed authorization request";

    private final Sealer sealer;
    private final Sql sql;
    private final InstantSource clock;

    public SealedRequests(Sealer sealer, Sql sql, InstantSource clock) {
        this.sealer = sealer;
        this.sql = sql;
        this.clock = clock;
    }

    /** Seals a request for its way through the browser. */
    String seal(SignInRequest request) {
        return sealer.seal(request.toJson(), IN_BROWSER);
    }

    /** Opens a request that came back from the browser; null if it is not genuine or too old. */
    @Nullable
    SignInRequest open(@Nullable String sealed) {
        return sealed == null ? null : open(sealed, IN_BROWSER, LIFETIME);
    }

    /** Seals a pushed request. The {@code request_uri} is all that is needed to open it, so nothing is stored before that. */
    String push(SignInRequest request) {
        return PUSHED_PREFIX + sealer.seal(request.toJson(), PUSHED);
    }

    /** Opens a pushed request; null if it is not genuine, too old, of another client, or yielded a code. */
    @Nullable
    SignInRequest openPushed(String requestUri, String clientId) {
        if (!requestUri.startsWith(PUSHED_PREFIX)) {
            return null;
        }
        String sealed = requestUri.substring(PUSHED_PREFIX.length());
        SignInRequest request = open(sealed, PUSHED, PUSHED_LIFETIME);
        return request == null || !request.clientId().equals(clientId) || isUsed(request) ? null : request;
    }

    /** Whether a request is a pushed one that yielded a code. Until then, its page can be loaded again. */
    boolean isUsed(SignInRequest request) {
        return request.pushed() && UsedTokens.isUsed(sql, mark(request));
    }

    /** Uses up a request that yields a code, within a transaction of the caller; false if it was used before. */
    static boolean use(Connection connection, SignInRequest request) throws SQLException {
        Instant end = Instant.ofEpochMilli(request.issuedAt()).plus(LIFETIME);
        return !request.pushed() || UsedTokens.use(connection, mark(request), end);
    }

    private static String mark(SignInRequest request) {
        return "pushed request " + request.id();
    }

    private @Nullable SignInRequest open(String sealed, String place, Duration lifetime) {
        String json = sealer.open(sealed, place);
        if (json == null) {
            return null;
        }
        try {
            SignInRequest request = SignInRequest.parse(json);
            return request.issuedAt() + lifetime.toMillis() <= clock.millis() ? null : request;
        } catch (MalformedException e) {
            return null; // sealed by another release
        }
    }
}
