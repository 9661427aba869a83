// SPDX-License-Identifier: Apache-2.0
package com.example.login;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. Run it with the client secret in CLIENT_SECRET, and open http://localhost:8081. */
@SpringBootApplication
public class LoginApplication {
    public static void main(String[] args) {
        SpringApplication.run(LoginApplication.class, args);
    }
}
