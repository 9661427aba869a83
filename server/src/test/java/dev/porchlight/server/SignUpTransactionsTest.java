// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The number of transactions in PostgreSQL that a sign-up takes. */
class SignUpTransactionsTest {
    /** Background tasks and samples for decoys add transactions to some of these sign-ups, but not to all. */
    private static final int SIGN_UPS = 10;

    @Test
    void a_sign_up_is_two_reads_and_one_unit_of_work() throws Exception {
        try (TransactionCounter counter = new TransactionCounter(TestDatabase.POSTGRES.freshUrl());
                Service service = Service.at(counter.jdbcUrl(), "DATABASE_CONNECTIONS", "1")) {
            int[] transactions = IntStream.range(0, SIGN_UPS)
                    .map(each -> {
                        int before = counter.transactions();
                        service.newUser().enroll();
                        return counter.transactions() - before;
                    })
                    .toArray();

            assertThat(IntStream.of(transactions).min()).as("%s", transactions).hasValue(3);
        }
    }
}
