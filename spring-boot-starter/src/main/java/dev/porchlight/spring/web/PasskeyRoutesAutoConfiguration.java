// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import java.security.Principal;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Registers the four routes in a Spring MVC application. Other applications write their own routes with the service.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(RouterFunction.class)
class PasskeyRoutesAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    RegisteringUser registeringUser() {
        return request -> {
            Principal principal = request.getUserPrincipal();
            return principal == null ? PasskeySession.userId(request) : principal.getName();
        };
    }

    @Bean
    @ConditionalOnMissingBean
    PasskeySignIn passkeySignIn() {
        return new PasskeySession();
    }

    @Bean
    RouterFunction<ServerResponse> passkeyRoutes(
            PasskeyService passkeys, PasskeyConfig config, RegisteringUser registering, PasskeySignIn signIn) {
        return new PasskeyRoutes(passkeys, config, registering, signIn).router();
    }
}
