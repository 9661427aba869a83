// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.MemoryChallengeStore;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Warnings of the library alone: with the server on the class path they go to its log. */
class SecurityWarningsTest {
    private final DataSource database = Stage.on(TestDatabase.SQLITE).database;

    @Test
    void a_service_without_a_decoy_key_logs_one_warning() {
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getLevel() + " " + line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.porchlight.passkey");
        logger.addHandler(handler);
        try {
            PasskeyServiceBuilder sealed =
                    PasskeyService.builder(Stage.config(), database).sealedChallenges(Stage.KEY);
            PasskeyService service = sealed.build();
            service.startAuthentication("unknown");
            assertThat(lines)
                    .singleElement()
                    .asString()
                    .startsWith("WARNING No decoyKey: ")
                    .contains("challenge key");

            lines.clear();
            PasskeyService.builder(Stage.config(), database, new MemoryChallengeStore())
                    .build();
            assertThat(lines).singleElement().asString().contains("at every start", "porchlight.decoy-key");

            lines.clear();
            sealed.decoyKey(new byte[32]).build();
            assertThat(lines).isEmpty();
        } finally {
            logger.removeHandler(handler);
        }
    }
}
