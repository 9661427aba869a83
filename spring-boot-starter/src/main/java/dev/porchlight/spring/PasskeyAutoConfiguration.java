// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.Sql;
import dev.porchlight.passkey.store.SqlChallengeStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.StorageException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * The passkey service on the application's data source. Every bean steps back for one of the application's own: other stores, a
 * configuration with more in it than the properties have, or a whole service.
 *
 * <p>Ceremonies use connections of their own and take no part in the application's transactions: a challenge is spent even if
 * what the application does then is rolled back.
 */
@AutoConfiguration
@EnableConfigurationProperties(PorchlightProperties.class)
public class PasskeyAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    PasskeyConfig passkeyConfig(PorchlightProperties properties) {
        return RelyingPartyReader.read(properties);
    }

    @Bean
    @ConditionalOnMissingBean({ChallengeStore.class, PasskeyService.class})
    ChallengeStore passkeyChallengeStore(DataSource dataSource) {
        return new SqlChallengeStore(dataSource);
    }

    @Bean
    @ConditionalOnMissingBean({CredentialStore.class, PasskeyService.class})
    CredentialStore passkeyCredentialStore(DataSource dataSource, ObjectProvider<CeremonyListener> listeners) {
        return new SqlCredentialStore(
                new Sql(dataSource), row -> listeners.orderedStream().forEach(listener -> listener.unreadable(row)));
    }

    @Bean
    @ConditionalOnMissingBean
    PasskeyService passkeyService(
            PasskeyConfig config,
            PorchlightProperties properties,
            DataSource dataSource,
            ChallengeStore challenges,
            CredentialStore credentials,
            ObjectProvider<CeremonyListener> listeners) {
        if (properties.migrate()) {
            migrate(dataSource);
        }
        var service = PasskeyService.builder(config, dataSource, challenges)
                .credentialStore(credentials)
                .listener(new CeremonyListeners(listeners.orderedStream().toList()));
        byte[] decoyKey = RelyingPartyReader.decoyKey(properties);
        return (decoyKey == null ? service : service.decoyKey(decoyKey)).build();
    }

    private static void migrate(DataSource dataSource) {
        try {
            Migration.run(dataSource);
        } catch (StorageException e) {
            throw UnsupportedDatabaseException.explaining(e, dataSource);
        }
    }
}
