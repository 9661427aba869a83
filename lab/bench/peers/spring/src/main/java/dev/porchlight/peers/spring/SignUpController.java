// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.peers.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.JdbcUserDetailsManager;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The routes that Spring Security lacks: open sign-up before a passkey registration, and readiness. */
@RestController
class SignUpController {
    private final JdbcUserDetailsManager users;
    private final SecurityContextRepository contexts;
    private final JdbcOperations jdbc;

    SignUpController(JdbcUserDetailsManager users, SecurityContextRepository contexts, JdbcOperations jdbc) {
        this.users = users;
        this.contexts = contexts;
        this.jdbc = jdbc;
    }

    @PostMapping("/signup")
    void signUp(@RequestBody Map<String, String> body, HttpServletRequest request, HttpServletResponse response) {
        UserDetails user = User.withUsername(body.get("userId"))
                .password("{noop}")
                .roles("USER")
                .build();
        users.createUser(user);
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(
                UsernamePasswordAuthenticationToken.authenticated(user, null, user.getAuthorities()));
        contexts.saveContext(context, request, response);
    }

    @GetMapping("/health/ready")
    Map<String, String> ready() {
        jdbc.queryForObject("SELECT 1", Integer.class);
        return Map.of("status", "up");
    }
}
