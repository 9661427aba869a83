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
        // The finish routes need no CSRF token: they accept only JSON from our origin, for one challenge each.
        http.csrf(csrf -> csrf.ignoringRequestMatchers("/auth/passkey/*/finish"));
        http.formLogin(Customizer.withDefaults());
        return http.build();
    }
}
