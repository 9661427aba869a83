// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.SqlUsers;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Keeps failed requests and explains them if the application has Actuator, and enables and exposes the endpoint {@code passkeys}. */
@AutoConfiguration
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(PasskeysEndpoint.class)
class PasskeysEndpointAutoConfiguration {
    @Bean
    RecentRefusals passkeyRefusals() {
        return new RecentRefusals(InstantSource.system());
    }

    @Bean
    PasskeysEndpoint passkeysEndpoint(
            RecentRefusals refusals,
            PasskeyService passkeys,
            ObjectProvider<Accounts> accounts,
            ObjectProvider<DataSource> database) {
        return new PasskeysEndpoint(
                refusals,
                new UserCauses(
                        passkeys,
                        accounts.getIfAvailable(() -> user -> true),
                        handle -> SqlUsers.holderOf(new Sql(database.getObject()), "", handle)));
    }
}
