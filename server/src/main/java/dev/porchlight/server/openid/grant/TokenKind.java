// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import org.jspecify.annotations.Nullable;

/** What a client presents to get tokens, by the name of its parameter. */
public enum TokenKind {
    CODE("code", Reason.REPLAYED_CODE),
    REFRESH_TOKEN("refresh_token", Reason.REUSED_REFRESH_TOKEN);

    private final String parameter;
    private final Reason used;

    TokenKind(String parameter, Reason used) {
        this.parameter = parameter;
        this.used = used;
    }

    /** The kind that a {@code grant_type} names, or null. */
    public static @Nullable TokenKind ofGrantType(@Nullable String grantType) {
        return "authorization_code".equals(grantType) ? CODE : "refresh_token".equals(grantType) ? REFRESH_TOKEN : null;
    }

    public String parameter() {
        return parameter;
    }

    /** The refusal of one that is not valid. */
    public Refusal invalid(String found) {
        return this == CODE
                ? Reason.INVALID_CODE.of(
                        parameter, "a code of the last " + Authorizations.CODE_LIFETIME.toSeconds() + " seconds", found)
                : Reason.INVALID_REFRESH_TOKEN.of(parameter, "the latest token of a sign-in", found);
    }

    /** The refusal of one that was used before. */
    Refusal used() {
        return used.of(parameter, "one that was not used", "a used one");
    }

    /** The refusal of one whose sign-in is no longer valid. */
    Refusal accessEnded() {
        return Reason.ACCESS_ENDED.of(parameter, "one of a valid sign-in", "one of a sign-in that has ended");
    }
}
