// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.health;

import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health component {@code passkey}, in Spring Boot 4. */
@AutoConfiguration(afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnEnabledHealthIndicator("passkey")
class PasskeyHealthAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "passkeyHealthIndicator")
    HealthIndicator passkeyHealthIndicator(DataSource dataSource) {
        StorageHealth storage = new StorageHealth(dataSource);
        return () -> {
            StorageHealth.Result result = storage.check();
            Health.Builder health = result.up() ? Health.up() : Health.down();
            return health.withDetails(result.details()).build();
        };
    }
}
