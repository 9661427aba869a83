// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The access rules of the application. */
@Configuration
class Access {
    private static final String[] PUBLIC = {
        "/", "/index.html", "/passkeys.js", "/error", "/actuator/health", "/auth/passkey/login/*"
    };

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        http.authorizeHttpRequests(
                all -> all.requestMatchers(PUBLIC).permitAll().anyRequest().authenticated());
        // No CSRF token needed: they accept only JSON from our origin, and each response works for one challenge.
        http.csrf(csrf -> csrf.ignoringRequestMatchers("/auth/passkey/*/finish"));
        http.formLogin(Customizer.withDefaults());
        return http.build();
    }
}
