// SPDX-License-Identifier: Apache-2.0
package com.example.login;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.web.SecurityFilterChain;

/** The access rules of the application. */
@Configuration
class Access {
    @Bean
    SecurityFilterChain chain(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
        http.authorizeHttpRequests(
                all -> all.requestMatchers("/", "/error").permitAll().anyRequest().authenticated());
        http.oauth2Login(Customizer.withDefaults());
        // Signing out here also signs the user out of Porchlight, which sends them back.
        var logout = new OidcClientInitiatedLogoutSuccessHandler(clients);
        logout.setPostLogoutRedirectUri("{baseUrl}/");
        http.logout(it -> it.logoutSuccessHandler(logout));
        // Signing out of Porchlight also signs the user out here.
        http.oidcLogout(it -> it.backChannel(Customizer.withDefaults()));
        return http.build();
    }
}
