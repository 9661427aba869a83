// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.peers.spring;

import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.provisioning.JdbcUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.webauthn.management.JdbcPublicKeyCredentialUserEntityRepository;
import org.springframework.security.web.webauthn.management.JdbcUserCredentialRepository;

/** Passkeys configured as in the reference documentation, with its JDBC repositories, for pages that use fetch. */
@Configuration
class Security {
    @Bean
    SecurityFilterChain filterChain(HttpSecurity http, @Value("${origin}") String origin) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/signup", "/health/ready")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .csrf(CsrfConfigurer::spa)
                .webAuthn(passkeys -> passkeys.rpName("Peer").rpId("localhost").allowedOrigins(origin))
                .build();
    }

    @Bean
    JdbcUserDetailsManager users(DataSource database) {
        return new JdbcUserDetailsManager(database);
    }

    @Bean
    JdbcPublicKeyCredentialUserEntityRepository userEntities(JdbcOperations jdbc) {
        return new JdbcPublicKeyCredentialUserEntityRepository(jdbc);
    }

    @Bean
    JdbcUserCredentialRepository userCredentials(JdbcOperations jdbc) {
        return new JdbcUserCredentialRepository(jdbc);
    }

    @Bean
    SecurityContextRepository contexts() {
        return new HttpSessionSecurityContextRepository();
    }
}
