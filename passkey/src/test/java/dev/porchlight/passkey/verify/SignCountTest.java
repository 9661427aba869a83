// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.store.CredentialRecord;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignCountTest {
    @ParameterizedTest(name = "{1} after {0}: {2}")
    @CsvSource({
        "0, 0, true",
        "0, 1, true",
        "5, 6, true",
        "5, 5, false",
        "5, 4, false",
        "5, 0, false",
        "4294967294, 4294967295, true",
        "4294967295, 4294967295, false",
        "4294967295, 0, false"
    })
    void T35_a_count_grows_or_stays_at_zero(long stored, long presented, boolean grew) throws Exception {
        byte[] data = ByteBuffer.allocate(37)
                .position(32)
                .put((byte) 1)
                .putInt((int) presented)
                .array();
        CredentialRecord credential = CredentialRecord.of("aWQ", "ada", "{}", stored, "https://example.org");

        assertThat(CredentialSteps.signCountGrew(AuthenticatorData.parse(Bytes.copyOf(data)), credential))
                .isEqualTo(grew);
    }
}
