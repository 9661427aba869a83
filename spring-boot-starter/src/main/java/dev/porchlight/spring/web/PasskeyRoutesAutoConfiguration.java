// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.spring.explain.RecentRefusals;
import jakarta.servlet.http.HttpSession;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Registers the routes in a Spring MVC application. Other applications write their own routes with the service. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(RouterFunction.class)
class PasskeyRoutesAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    SignInTime signInTime() {
        return new SessionSignIn();
    }

    @Bean
    AccountUsers passkeyAccountUsers(PasskeyService passkeys, SignInTime times, RecentLogin recent) {
        return new AccountUsers(passkeys, times, recent);
    }

    @Bean
    @ConditionalOnProperty(name = "porchlight.check-sessions", matchIfMissing = true)
    RemovedPasskeyFilter removedPasskeyFilter(ObjectProvider<AccountUsers> users) {
        return new RemovedPasskeyFilter(users::getObject);
    }

    @Bean
    @ConditionalOnMissingBean
    RegisteringUser registeringUser(AccountUsers users) {
        return users::findRecent;
    }

    @Bean
    @ConditionalOnMissingBean
    PasskeySignIn passkeySignIn() {
        return new PasskeySession();
    }

    @Bean
    @ConditionalOnMissingBean
    PasskeySignOut passkeySignOut() {
        return (request, response) -> {
            HttpSession session = request.getSession(false);
            if (session != null) {
                session.invalidate();
            }
        };
    }

    @Bean
    RouterFunction<ServerResponse> passkeyRoutes(
            PasskeyService passkeys,
            PasskeyConfig config,
            RegisteringUser registering,
            PasskeySignIn signIn,
            AccountUsers users,
            SignInTime times,
            PasskeySignOut signOut,
            ObjectProvider<RecentRefusals> recent) {
        RefusalLog refusals = new RefusalLog(recent.getIfAvailable());
        return new PasskeyRoutes(passkeys, config, registering, signIn, refusals)
                .router()
                .and(new AccountRoutes(passkeys, config, users, times, signOut, refusals).router());
    }
}
