// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.PasskeyServiceBuilder;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.spring.web.RecentLogin;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Configures the passkey service on the application's data source. Every bean backs off if the application defines its
 * own: a store, a configuration, or the whole service.
 *
 * <p>Challenges are sealed, with the key from the properties, or with one in the database that all instances share. If
 * the application defines a {@link ChallengeStore}, they are stored there instead.
 *
 * <p>Ceremonies use their own connections and do not join the application's transactions: a challenge stays used even
 * if the application rolls back.
 */
@AutoConfiguration
@EnableConfigurationProperties({PorchlightProperties.class, PorchlightProperties.RelyingParty.class})
public class PasskeyAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    PasskeyConfig passkeyConfig(PorchlightProperties.RelyingParty party, PorchlightProperties properties) {
        return new RelyingPartyReader().read(party, properties);
    }

    @Bean
    RecentLogin passkeyRecentLogin(PorchlightProperties properties) {
        return new RecentLogin(properties.recentLogin());
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
            ObjectProvider<ChallengeStore> challenges,
            ObjectProvider<UsedChallenges> used,
            CredentialStore credentials,
            ObjectProvider<Authenticators> authenticators,
            ObjectProvider<CeremonyListener> listeners) {
        if (properties.migrate()) {
            Migration.run(dataSource);
        }
        ChallengeStore store = challenges.getIfAvailable();
        PasskeyServiceBuilder service = store == null
                ? sealing(PasskeyService.builder(config, dataSource), properties, used)
                : PasskeyService.builder(config, dataSource, store);
        service.credentialStore(credentials).listener(listeners.orderedStream().toArray(CeremonyListener[]::new));
        authenticators.ifAvailable(service::authenticators);
        byte[] decoyKey = RelyingPartyReader.key(properties.decoyKey());
        return (decoyKey == null ? service : service.decoyKey(decoyKey)).build();
    }

    private static PasskeyServiceBuilder sealing(
            PasskeyServiceBuilder service, PorchlightProperties properties, ObjectProvider<UsedChallenges> used) {
        byte[] key = RelyingPartyReader.key(properties.challengeKey());
        byte[] previous = RelyingPartyReader.key(properties.previousChallengeKey());
        if (key != null) {
            service.sealedChallenges(key, previous == null ? new byte[0][] : new byte[][] {previous});
        }
        used.ifAvailable(service::usedChallenges);
        return service;
    }
}
