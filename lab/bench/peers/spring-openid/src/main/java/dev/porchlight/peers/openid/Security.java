// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.peers.openid;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.JdbcOAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** One client with a secret and PKCE, authorizations in the database, everything else by default. */
@Configuration
class Security {
    private static final int USERS = 64;

    /** Costs the peer least: its default, BCrypt, would take 100 ms of CPU for each request with a client secret. */
    @Bean
    @SuppressWarnings("deprecation")
    PasswordEncoder passwords() {
        return NoOpPasswordEncoder.getInstance();
    }

    /** In memory, which costs the peer least. */
    @Bean
    RegisteredClientRepository clients() {
        return new InMemoryRegisteredClientRepository(RegisteredClient.withId("app")
                .clientId("app")
                .clientSecret("secret")
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
                .redirectUri("https://app.example/callback")
                .scopes(scopes -> scopes.addAll(List.of("openid", "profile", "offline_access")))
                .tokenSettings(
                        TokenSettings.builder().reuseRefreshTokens(false).build())
                .build());
    }

    @Bean
    OAuth2AuthorizationService authorizations(JdbcOperations jdbc, RegisteredClientRepository clients) {
        return new JdbcOAuth2AuthorizationService(jdbc, clients);
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(IntStream.range(0, USERS)
                .mapToObj(i -> User.withUsername("user-" + i)
                        .password("password")
                        .roles("USER")
                        .build())
                .toArray(UserDetails[]::new));
    }

    @Bean
    WebSecurityCustomizer readiness() {
        return web -> web.ignoring().requestMatchers("/health/ready");
    }
}
