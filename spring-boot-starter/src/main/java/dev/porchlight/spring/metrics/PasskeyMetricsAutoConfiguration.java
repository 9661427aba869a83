// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.metrics;

import dev.porchlight.passkey.CeremonyListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Counts ceremonies if the application has a meter registry, whose package differs between Spring Boot 3.5 and 4. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
class PasskeyMetricsAutoConfiguration {
    @Bean
    CeremonyListener passkeyCeremonyMeters(MeterRegistry registry) {
        return new CeremonyMeters(registry);
    }
}
