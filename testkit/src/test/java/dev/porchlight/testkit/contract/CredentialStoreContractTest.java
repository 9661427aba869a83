// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A correct store passes the contract, and stores with typical faults fail. */
class CredentialStoreContractTest {
    /** A correct store. */
    private static class Sound implements CredentialSubject {
        final Map<String, Row> rows = new ConcurrentHashMap<>();

        @Override
        public Row find(String credentialId) {
            return rows.get(credentialId);
        }

        @Override
        public List<String> idsOf(String userId) {
            return rows.values().stream()
                    .filter(it -> it.userId().equals(userId))
                    .map(Row::credentialId)
                    .toList();
        }

        @Override
        public boolean add(Row passkey) {
            return rows.putIfAbsent(passkey.credentialId(), passkey) == null;
        }

        @Override
        public synchronized boolean advance(String credentialId, long signCount) {
            Row row = rows.get(credentialId);
            boolean grows = row != null && (signCount > row.signCount() || signCount == 0 && row.signCount() == 0);
            if (grows) {
                rows.put(credentialId, new Row(credentialId, row.userId(), row.publicKey(), signCount));
            }
            return grows;
        }

        @Override
        public boolean remove(String userId, String credentialId) {
            Row row = rows.get(credentialId);
            return row != null && row.userId().equals(userId) && rows.remove(credentialId, row);
        }
    }

    @Nested
    class SoundStore implements CredentialStoreContract {
        private final CredentialSubject store = new Sound();

        @Override
        public CredentialSubject credentials() {
            return store;
        }
    }

    @Test
    void a_store_that_overwrites_fails() {
        CredentialStoreContract contract = () -> new Sound() {
            @Override
            public boolean add(Row passkey) {
                rows.put(passkey.credentialId(), passkey);
                return true;
            }
        };
        assertBroken(contract::an_id_belongs_to_the_user_who_registered_it_first);
        assertBroken(contract::of_16_threads_that_register_one_id_exactly_one_wins);
    }

    @Test
    void a_store_that_accepts_any_count_fails() {
        CredentialStoreContract contract = () -> new Sound() {
            @Override
            public synchronized boolean advance(String credentialId, long signCount) {
                Row row = rows.get(credentialId);
                rows.put(credentialId, new Row(credentialId, row.userId(), row.publicKey(), signCount));
                return true;
            }
        };
        assertBroken(contract::a_sign_count_only_grows);
        assertBroken(contract::of_16_logins_with_one_sign_count_exactly_one_wins);
    }

    @Test
    void a_store_that_removes_for_any_user_fails() {
        CredentialStoreContract contract = () -> new Sound() {
            @Override
            public boolean remove(String userId, String credentialId) {
                return rows.remove(credentialId) != null;
            }
        };
        assertBroken(contract::a_passkey_is_only_removed_for_its_owner);
    }

    @Test
    void a_store_that_truncates_ids_or_ignores_case_fails() {
        CredentialStoreContract cutting = () -> new Sound() {
            @Override
            public boolean add(Row passkey) {
                String id = passkey.credentialId();
                return rows.putIfAbsent(id.substring(0, Math.min(255, id.length())), passkey) == null;
            }
        };
        assertBroken(cutting::the_longest_ids_are_distinguished);
        CredentialStoreContract folding = () -> new Sound() {
            @Override
            public boolean add(Row passkey) {
                return rows.putIfAbsent(passkey.credentialId().toLowerCase(Locale.ROOT), passkey) == null;
            }
        };
        assertBroken(folding::hostile_texts_are_keys_like_any_other);
    }

    private static void assertBroken(Runnable test) {
        assertThatThrownBy(test::run).isInstanceOf(AssertionError.class);
    }
}
