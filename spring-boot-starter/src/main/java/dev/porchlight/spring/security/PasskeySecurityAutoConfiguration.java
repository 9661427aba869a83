// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.security;

import dev.porchlight.spring.explain.Accounts;
import dev.porchlight.spring.web.PasskeySignIn;
import dev.porchlight.spring.web.PasskeySignOut;
import dev.porchlight.spring.web.SessionSignIn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.RememberMeAuthenticationToken;
import org.springframework.security.authentication.event.InteractiveAuthenticationSuccessEvent;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.session.SessionRegistry;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.logout.LogoutHandler;
import org.springframework.security.web.authentication.logout.LogoutSuccessEventPublishingLogoutHandler;
import org.springframework.security.web.authentication.session.ChangeSessionIdAuthenticationStrategy;
import org.springframework.security.web.authentication.session.CompositeSessionAuthenticationStrategy;
import org.springframework.security.web.authentication.session.RegisterSessionAuthenticationStrategy;
import org.springframework.security.web.authentication.session.SessionAuthenticationStrategy;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.csrf.CsrfAuthenticationStrategy;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Signs users in with a session of Spring Security. */
@AutoConfiguration(beforeName = "dev.porchlight.spring.web.PasskeyRoutesAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({SecurityContextRepository.class, UserDetailsService.class})
class PasskeySecurityAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    PasskeySignIn passkeySignIn(
            ObjectProvider<UserDetailsService> users,
            ObjectProvider<SessionAuthenticationStrategy> sessions,
            ObjectProvider<SecurityContextRepository> contexts,
            ObjectProvider<SessionRegistry> registry,
            ObjectProvider<AuthenticationEventPublisher> events) {
        return new SecurityContextSignIn(
                users.getIfAvailable(), // fails at startup if there are several
                sessions.getIfUnique(() -> renewal(registry.getIfUnique())),
                contexts.getIfUnique(HttpSessionSecurityContextRepository::new),
                events.getIfUnique());
    }

    /** Runs the beans of type {@link LogoutHandler} and publishes the logout, as the default configuration of a chain does. */
    @Bean
    @ConditionalOnMissingBean
    PasskeySignOut passkeySignOut(
            ObjectProvider<SecurityContextRepository> contexts,
            ObjectProvider<LogoutHandler> handlers,
            ObjectProvider<SessionRegistry> registry,
            ObjectProvider<SecurityFilterChain> chains,
            ApplicationEventPublisher events) {
        LogoutSuccessEventPublishingLogoutHandler published = new LogoutSuccessEventPublishingLogoutHandler();
        published.setApplicationEventPublisher(events);
        return new SecurityContextSignOut(
                contexts.getIfUnique(HttpSessionSecurityContextRepository::new),
                Stream.concat(handlers.orderedStream(), Stream.of(published)).toList(),
                registry.getIfUnique(),
                chains);
    }

    /** Without accounts, every registered passkey can sign in. */
    @Bean
    @ConditionalOnMissingBean
    Accounts passkeyAccounts(ObjectProvider<UserDetailsService> users) {
        return userId -> {
            UserDetailsService accounts = users.getIfAvailable();
            try {
                return accounts == null || accounts.loadUserByUsername(userId) != null;
            } catch (UsernameNotFoundException e) {
                return false;
            }
        };
    }

    /** Stores the time of a sign-in with a password or with another provider. A remembered user did not sign in. */
    @Bean
    ApplicationListener<InteractiveAuthenticationSuccessEvent> passkeySignInTimeListener() {
        return event -> {
            Authentication authentication = event.getAuthentication();
            if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                    && !(authentication instanceof RememberMeAuthenticationToken)) {
                SessionSignIn.save(attributes.getRequest(), authentication.getName());
            }
        };
    }

    /** Returns the default strategy of a form login: a new session id, which the registry learns, and a new CSRF token. */
    static SessionAuthenticationStrategy renewal(@Nullable SessionRegistry registry) {
        List<SessionAuthenticationStrategy> all = new ArrayList<>();
        all.add(new ChangeSessionIdAuthenticationStrategy());
        if (registry != null) {
            all.add(new RegisterSessionAuthenticationStrategy(registry));
        }
        all.add(new CsrfAuthenticationStrategy(new HttpSessionCsrfTokenRepository()));
        return new CompositeSessionAuthenticationStrategy(all);
    }
}
