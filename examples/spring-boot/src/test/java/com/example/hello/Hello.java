// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** The application on a free port with its own database, started once for all tests. */
final class Hello {
    static final String PASSWORD = "correct-horse";
    /** The origin in application.properties. Browsers report it regardless of the port of this instance. */
    private static final String ORIGIN = "http://localhost:8080";

    private static final Hello RUNNING = new Hello();

    private final ConfigurableApplicationContext context;

    private Hello() {
        String[] options = {
            "--server.port=0",
            "--spring.datasource.url=jdbc:sqlite:target/hello-" + System.currentTimeMillis() + "-"
                    + ProcessHandle.current().pid() + ".db?synchronous=OFF",
            "--management.endpoint.passkeys.access=read-only",
            "--management.endpoints.web.exposure.include=health,metrics,prometheus,passkeys"
        };
        context = SpringApplication.run(new Class<?>[] {HelloApplication.class, Accounts.class}, options);
    }

    /** A user and an operator, with passwords that are checked in a millisecond. The default takes hundreds, on purpose. */
    static final class Accounts {
        private static final PasswordEncoder ENCODER = new BCryptPasswordEncoder(4);

        @Bean
        PasswordEncoder passwordEncoder() {
            return ENCODER;
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(account("ada", "USER"), account("olga", "OPERATOR"));
        }

        private static UserDetails account(String name, String role) {
            return User.withUsername(name)
                    .password(ENCODER.encode(PASSWORD))
                    .roles(role)
                    .build();
        }
    }

    static Hello running() {
        return RUNNING;
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    Visitor visitor(SoftAuthenticator authenticator) {
        var environment = context.getEnvironment();
        String base = "http://localhost:" + environment.getProperty("local.server.port")
                + environment.getProperty("server.servlet.context-path", "");
        return new Visitor(base, new SoftBrowser(ORIGIN, authenticator));
    }

    /** An operator who signed in with a password. */
    Visitor operator() {
        Visitor olga = visitor(SoftAuthenticator.securityKey());
        olga.signInWithPassword("olga", PASSWORD);
        return olga;
    }

    /** A user who signed in with a password and then registered a passkey. */
    Visitor ada(SoftAuthenticator authenticator) {
        Visitor ada = visitor(authenticator);
        ada.signInWithPassword("ada", PASSWORD);
        if (ada.register().statusCode() != 201) {
            throw new IllegalStateException("no passkey was registered");
        }
        return ada;
    }
}
