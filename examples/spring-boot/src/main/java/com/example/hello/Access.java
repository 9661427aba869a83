// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The access rules of the application. */
@Configuration
class Access {
    private static final String[] PUBLIC = {
        "/", "/index.html", "/porchlight.js", "/porchlight/*", "/error", "/actuator/health", "/auth/**"
    };

    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        http.authorizeHttpRequests(all -> all.requestMatchers(PUBLIC)
                .permitAll()
                .requestMatchers("/actuator/**")
                .hasRole("OPERATOR")
                .anyRequest()
                .authenticated());
        // The passkey routes check the user, and the origin instead of a CSRF token.
        http.csrf(csrf -> csrf.ignoringRequestMatchers("/auth/**"));
        http.formLogin(login -> login.defaultSuccessUrl("/account.html"));
        return http.build();
    }
}
