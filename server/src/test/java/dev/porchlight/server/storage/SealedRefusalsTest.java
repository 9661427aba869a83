// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.storage.SealedRefusals.Content;
import dev.porchlight.server.storage.SealedRefusals.Keys;
import dev.porchlight.server.storage.SealedRefusals.Row;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SealedRefusalsTest {
    private static final int MAX = 10;

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_flood_from_one_address_displaces_only_its_own_rows(TestDatabase kind) {
        try (Database database = kind.open(2)) {
            SealedRefusals refusals = new SealedRefusals(database.sql(), MAX);
            refusals.put(List.of(row(1, "a"), row(2, "b"), row(3, "b"), row(4, "c")));

            for (int batch = 0; batch < 5; batch++) {
                int first = 100 * (batch + 1);
                refusals.put(IntStream.range(first, first + 20)
                        .mapToObj(number -> row(number, "flood"))
                        .toList());
            }

            assertThat(database.sql()
                            .query(
                                    "SELECT refusal_id FROM porchlight_refusal ORDER BY created_at",
                                    row -> row.getString(1)))
                    .containsExactly("1", "2", "3", "4", "514", "515", "516", "517", "518", "519");
            refusals.put(List.of(row(519, "flood"), row(600, "b")));
            assertThat(find(refusals, "trace 1", "", 0)).hasSize(1);
            assertThat(find(refusals, "trace 600", "", 0)).containsExactly(new Content("600", "sealed 600"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void expired_rows_and_those_of_erased_users_are_removed(TestDatabase kind) {
        try (Database database = kind.open(2)) {
            SealedRefusals refusals = new SealedRefusals(database.sql(), MAX);
            refusals.put(List.of(row(1, "a"), row(2, "a"), row(3, "a")));
            database.sql().update("INSERT INTO porchlight_erased_user (name_hash, erased_at) VALUES ('owner 2', 0)");

            assertThat(find(refusals, "", "owner 3", 1_002)).hasSize(1);
            assertThat(find(refusals, "", "owner 3", 1_003)).isEmpty();
            assertThat(find(refusals, "", "", 0)).isEmpty();
            assertThat(find(refusals, "trace 2", "", 0)).isEmpty();
            refusals.sweep(1_001);

            assertThat(database.sql().query("SELECT refusal_id FROM porchlight_refusal", row -> row.getString(1)))
                    .containsExactly("3");
        }
    }

    private static List<Content> find(SealedRefusals refusals, String trace, String owner, long now) {
        return refusals.find(new Keys(trace, "", "", owner, ""), 20, now);
    }

    private static Row row(int number, String address) {
        Keys keys = new Keys("trace " + number, "code " + number, "correlation " + number, "owner " + number, "");
        return new Row(Integer.toString(number), keys, address, "sealed " + number, number, number + 1_000L);
    }
}
