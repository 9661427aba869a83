// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.spring.web.PasskeySignIn;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.event.AuthenticationSuccessEvent;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.session.SessionRegistryImpl;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.session.ChangeSessionIdAuthenticationStrategy;
import org.springframework.security.web.authentication.session.SessionAuthenticationException;
import org.springframework.security.web.authentication.session.SessionAuthenticationStrategy;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.security.web.session.ConcurrentSessionFilter;
import org.sqlite.SQLiteDataSource;

/** Sessions of Spring Security created by a passkey login. */
class SecurityContextSignInTest {
    private static final PasskeyConfig CONFIG = new PasskeyConfig("Shop", "shop.example", "https://shop.example");

    @TempDir
    Path directory;

    private final MockHttpServletRequest request = new MockHttpServletRequest();
    private final List<Object> published = new ArrayList<>();
    private PasskeyService passkeys;
    private VerifiedAssertion proof;

    @BeforeEach
    void signInWithAPasskey() {
        var database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        Migration.run(database);
        passkeys = new PasskeyService(CONFIG, database, new MemoryChallengeStore());
        var browser = new SoftBrowser(CONFIG.origin(), SoftAuthenticator.securityKey());
        passkeys.finishRegistration(
                "ada", browser.create(passkeys.startRegistration("ada").toJson()));
        String json = browser.get(passkeys.startAuthentication("ada").toJson());
        proof = ((AuthenticationResult.Verified) passkeys.finishAuthentication("ada", json)).assertion();
    }

    @AfterEach
    void forget() {
        SecurityContextHolder.clearContext();
        passkeys.close();
    }

    @Test
    void an_account_signs_in_with_its_authorities_and_the_passkey_factor() {
        var outcome = signIn(name -> account(name).build(), new ChangeSessionIdAuthenticationStrategy());

        assertThat(outcome).isEqualTo(PasskeySignIn.Outcome.session());
        assertThat(saved().getName()).isEqualTo("ada");
        assertThat(saved().isAuthenticated()).isTrue();
        assertThat(saved().getPrincipal()).isInstanceOf(User.class);
        assertThat(saved().getAuthorities())
                .extracting(GrantedAuthority::getAuthority)
                .containsExactlyInAnyOrder("ROLE_USER", PasskeyAuthentication.FACTOR);
    }

    @Test
    void without_user_details_the_principal_is_the_user_id() {
        signIn(null, new ChangeSessionIdAuthenticationStrategy());

        assertThat(saved().getPrincipal()).isEqualTo("ada");
        assertThat(saved().getAuthorities())
                .extracting(GrantedAuthority::getAuthority)
                .containsExactly(PasskeyAuthentication.FACTOR);
    }

    @Test
    void locked_disabled_expired_and_unknown_accounts_are_refused() {
        refused(name -> account(name).accountLocked(true).build());
        refused(name -> account(name).disabled(true).build());
        refused(name -> account(name).accountExpired(true).build());
        refused(name -> {
            throw new UsernameNotFoundException(name);
        });
    }

    @Test
    void the_password_hash_is_not_stored_in_the_session() {
        var account = (User) account("ada").build();
        assertThat(account.getPassword()).isNotNull();

        signIn(name -> account, new ChangeSessionIdAuthenticationStrategy());

        assertThat(((User) saved().getPrincipal()).getPassword()).isNull();
    }

    @Test
    void a_login_publishes_an_event_and_a_refusal_does_not() {
        signIn(name -> account(name).disabled(true).build(), new ChangeSessionIdAuthenticationStrategy());
        signIn(name -> account(name).build(), (authentication, request, response) -> {
            throw new SessionAuthenticationException("too many");
        });
        assertThat(published).isEmpty();

        signIn(name -> account(name).build(), new ChangeSessionIdAuthenticationStrategy());

        assertThat(published)
                .singleElement()
                .isInstanceOfSatisfying(
                        AuthenticationSuccessEvent.class,
                        event -> assertThat(event.getAuthentication()).isSameAs(saved()));
    }

    @Test
    void an_earlier_csrf_token_is_replaced_unless_the_application_overrides_it() {
        var tokens = new HttpSessionCsrfTokenRepository();
        tokens.saveToken(tokens.generateToken(request), request, new MockHttpServletResponse());
        String before = tokens.loadToken(request).getToken();
        String planted = request.getSession().getId();

        signIn(null, (authentication, request, response) -> {});
        assertThat(tokens.loadToken(request).getToken()).isEqualTo(before);

        signIn(null, PasskeySecurityAutoConfiguration.renewal(null));
        var after = tokens.loadToken(request);
        assertThat(after == null ? "" : after.getToken()).isNotEqualTo(before);
        assertThat(request.getSession().getId()).isNotEqualTo(planted);
    }

    @Test
    void a_sign_out_everywhere_ends_the_users_sessions_in_the_registry() {
        var registry = new SessionRegistryImpl();
        registry.registerNewSession("a session with a password", account("ada").build());
        registry.registerNewSession("another user's", account("grace").build());
        signIn(name -> account(name).build(), PasskeySecurityAutoConfiguration.renewal(registry));
        String own = request.getSession().getId();
        var contexts = new HttpSessionSecurityContextRepository();

        SecurityFilterChain unaware = new DefaultSecurityFilterChain(any -> true);
        SecurityFilterChain ending = new DefaultSecurityFilterChain(any -> true, new ConcurrentSessionFilter(registry));

        assertThat(everywhere(new SecurityContextSignOut(contexts, List.of(), null, List.of(ending))))
                .isFalse();
        assertThat(everywhere(new SecurityContextSignOut(contexts, List.of(), registry, List.of(unaware))))
                .isFalse();
        assertThat(registry.getSessionInformation(own).isExpired()).isFalse();
        assertThat(everywhere(new SecurityContextSignOut(contexts, List.of(), registry, List.of(unaware, ending))))
                .isTrue();

        assertThat(registry.getSessionInformation(own).isExpired()).isTrue();
        assertThat(registry.getSessionInformation("a session with a password").isExpired())
                .isTrue();
        assertThat(registry.getSessionInformation("another user's").isExpired()).isFalse();
        assertThat(request.getSession(false)).isNull();
    }

    private boolean everywhere(SecurityContextSignOut signOut) {
        return signOut.signOutEverywhere("ada", request, new MockHttpServletResponse());
    }

    @Test
    void a_session_strategy_can_refuse_the_login() {
        var outcome = signIn(name -> account(name).build(), (authentication, request, response) -> {
            throw new SessionAuthenticationException("too many");
        });

        assertThat(outcome).isInstanceOf(PasskeySignIn.Refused.class);
        assertThat(SecurityContextHolder.getContext().getAuthentication()).isNull();
    }

    @Test
    void an_existing_session_gets_a_new_id_unless_it_is_another_users() {
        var own = new MockHttpSession();
        String planted = own.getId();
        request.setSession(own);
        signIn(null, new ChangeSessionIdAuthenticationStrategy());
        assertThat(own.isInvalid()).isFalse();
        assertThat(own.getId()).isNotEqualTo(planted);

        request.setUserPrincipal(() -> "grace");
        signIn(null, new ChangeSessionIdAuthenticationStrategy());
        assertThat(own.isInvalid()).isTrue();
    }

    @Test
    void a_login_in_a_stored_session_survives_a_restart() throws Exception {
        var authentication = new PasskeyAuthentication(proof, account("ada").build());
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(authentication);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(authentication).hasSameHashCodeAs(authentication);
        }
    }

    private static User.UserBuilder account(String name) {
        return User.withUsername(name).password("{noop}never used").roles("USER");
    }

    private void refused(UserDetailsService users) {
        assertThat(signIn(users, new ChangeSessionIdAuthenticationStrategy()))
                .isInstanceOf(PasskeySignIn.Refused.class);
        assertThat(request.getSession(false)).isNull();
    }

    private PasskeySignIn.Outcome signIn(@Nullable UserDetailsService users, SessionAuthenticationStrategy sessions) {
        var events = new DefaultAuthenticationEventPublisher(published::add);
        return new SecurityContextSignIn(users, sessions, new HttpSessionSecurityContextRepository(), events)
                .signIn(proof, request, new MockHttpServletResponse());
    }

    /** Returns the authentication that Spring Security loads for the next request. */
    private Authentication saved() {
        var context = (SecurityContext)
                request.getSession().getAttribute(HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY);
        return context.getAuthentication();
    }
}
