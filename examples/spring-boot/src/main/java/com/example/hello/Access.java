// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** Who may do what. */
@Configuration
class Access {
    private static final String[] STRANGERS = {
        "/", "/index.html", "/passkeys.js", "/error", "/actuator/health", "/auth/passkey/login/*"
    };

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        http.authorizeHttpRequests(
                all -> all.requestMatchers(STRANGERS).permitAll().anyRequest().authenticated());
        // They take JSON alone, refuse other sites, and a response is good for one challenge and our origin.
        http.csrf(csrf -> csrf.ignoringRequestMatchers("/auth/passkey/*/finish"));
        http.formLogin(Customizer.withDefaults());
        return http.build();
    }
}
