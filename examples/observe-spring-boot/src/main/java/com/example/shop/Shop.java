// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.health.HealthCheck;
import dev.porchlight.observe.http.TracedHttpClient;
import java.net.http.HttpClient;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Orders take an item from the stock, which is another service: here, the same one. */
@SpringBootApplication
public class Shop {
    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }

    @Bean
    HealthCheck warehouse() {
        return () -> CheckResult.up();
    }

    @Bean
    HttpClient httpClient(Observability observe) {
        return new TracedHttpClient(HttpClient.newHttpClient(), observe.tracer());
    }
}
