// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.health.HealthCheck;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** An application on Tomcat with the starter. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
public class Shop {
    public static void main(String[] arguments) {
        SpringApplication.run(Shop.class, arguments);
    }

    @GetMapping("/orders/{id}")
    String order(@PathVariable("id") String id) {
        MDC.put("order", id);
        LoggerFactory.getLogger("com.shop.Orders").debug("reading");
        java.util.logging.Logger.getLogger("com.library").warning("from a library");
        MDC.clear();
        return "order " + id;
    }

    @GetMapping("/broken")
    String broken() {
        throw new IllegalStateException("no stock");
    }

    @Bean
    HealthCheck stock() {
        return () -> CheckResult.down("warehouse 7 is closed");
    }
}
