// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.health.HealthCheck;
import dev.porchlight.observe.http.TelemetryEndpoints;
import dev.porchlight.observe.servlet.TelemetryServlet;
import dev.porchlight.observe.servlet.TelemetryServletFilter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Opens the signals of the application, observes its requests, and serves the endpoints. Beans of type {@link HealthCheck} become
 * readiness checks with the name of the bean. The application may define its own {@link Observability}.
 */
@AutoConfiguration
@EnableConfigurationProperties(ObserveProperties.class)
public class ObserveAutoConfiguration {
    /** Must be public for Spring. */
    public ObserveAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    Observability observability(ConfigurableEnvironment environment, ObjectProvider<LoggingSystem> logging) {
        Observability opened = logging.getIfAvailable() instanceof ObserveLoggingSystem system ? system.take() : null;
        if (opened != null) {
            return opened;
        }
        Observability observe = Observability.open(SpringSettings.read(environment));
        if (ObserveLoggingSystem.isProvider()) {
            return ObserveLoggingSystem.install(observe);
        }
        observe.logger()
                .warn("Libraries log through another SLF4J provider than porchlight-observe-slf4j. Exclude"
                        + " spring-boot-starter-logging to have their lines with trace ids.");
        return observe;
    }

    @Bean
    TelemetryEndpoints telemetryEndpoints(
            Observability observe, ObserveProperties properties, ListableBeanFactory beans) {
        beans.getBeansOfType(HealthCheck.class).forEach(observe.health()::register);
        boolean details = properties.port() != null;
        TelemetryEndpoints endpoints = new TelemetryEndpoints(
                observe.metrics(), observe.health(), observe.profiler(), details, Duration.ofSeconds(1));
        return properties.page() ? endpoints.with(observe.page()) : endpoints;
    }

    @Bean
    @ConditionalOnProperty("porchlight.observe.port")
    TelemetryPort telemetryPort(ObserveProperties properties, TelemetryEndpoints endpoints) throws IOException {
        int port = properties.port() == null ? 0 : properties.port();
        return new TelemetryPort(new InetSocketAddress(properties.address(), port), properties.path(), endpoints);
    }

    /** The servlet adapter. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Servlets {
        @Bean
        FilterRegistrationBean<TelemetryServletFilter> telemetryFilter(Observability observe) {
            FilterRegistrationBean<TelemetryServletFilter> filter =
                    new FilterRegistrationBean<>(new TelemetryServletFilter(observe.http()));
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }

        @Bean
        ServletRegistrationBean<TelemetryServlet> telemetryServlet(
                TelemetryEndpoints endpoints, ObserveProperties properties) {
            TelemetryServlet servlet = new TelemetryServlet(endpoints);
            ServletRegistrationBean<TelemetryServlet> mounted =
                    new ServletRegistrationBean<>(servlet, servlet.mappings(properties.path()));
            mounted.setEnabled(properties.port() == null);
            return mounted;
        }
    }
}
