// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.security;

import dev.porchlight.passkey.VerifiedAssertion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * The authentication of a user who signed in with a passkey. Its name is the user's id; its principal is the {@link
 * UserDetails} if available, otherwise the id. Immutable, except for the state that Spring Security sets.
 */
public final class PasskeyAuthentication extends AbstractAuthenticationToken {
    /** The authority that every passkey login has in addition to the user's own, with the name that Spring Security uses. */
    public static final String FACTOR = "FACTOR_WEBAUTHN";

    private static final long serialVersionUID = 1L;

    private final String userId;
    private final @Nullable UserDetails details;
    private final boolean userVerified;

    /** Requires a verified assertion, so that no other code can sign a user in. */
    PasskeyAuthentication(VerifiedAssertion proof, @Nullable UserDetails user) {
        super(authorities(user == null ? List.of() : user.getAuthorities()));
        this.userId = proof.userId();
        this.details = user;
        this.userVerified = proof.userVerified();
        setAuthenticated(true);
    }

    /** Returns whether the authenticator verified the user, by PIN or biometrics. */
    public boolean userVerified() {
        return userVerified;
    }

    @Override
    public Object getPrincipal() {
        return details == null ? userId : details;
    }

    /** Returns an empty string: there is no reusable credential. */
    @Override
    public Object getCredentials() {
        return "";
    }

    @Override
    public String getName() {
        return userId;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other)
                && other instanceof PasskeyAuthentication that
                && userId.equals(that.userId)
                && userVerified == that.userVerified;
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), userId, userVerified);
    }

    private static List<GrantedAuthority> authorities(Collection<? extends GrantedAuthority> own) {
        List<GrantedAuthority> all = new ArrayList<>(own);
        all.add(new SimpleGrantedAuthority(FACTOR));
        return all;
    }
}
