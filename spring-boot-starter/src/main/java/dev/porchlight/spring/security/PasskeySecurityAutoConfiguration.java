// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.security;

import dev.porchlight.spring.web.PasskeySignIn;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.authentication.session.ChangeSessionIdAuthenticationStrategy;
import org.springframework.security.web.authentication.session.CompositeSessionAuthenticationStrategy;
import org.springframework.security.web.authentication.session.SessionAuthenticationStrategy;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.csrf.CsrfAuthenticationStrategy;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;

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
            ObjectProvider<AuthenticationEventPublisher> events) {
        return new SecurityContextSignIn(
                users.getIfAvailable(), // fails at startup if there are several
                sessions.getIfUnique(PasskeySecurityAutoConfiguration::renewal),
                contexts.getIfUnique(HttpSessionSecurityContextRepository::new),
                events.getIfUnique());
    }

    /** Returns the default strategy of a form login: a new session id and a new CSRF token. */
    static SessionAuthenticationStrategy renewal() {
        return new CompositeSessionAuthenticationStrategy(List.of(
                new ChangeSessionIdAuthenticationStrategy(),
                new CsrfAuthenticationStrategy(new HttpSessionCsrfTokenRepository())));
    }
}
