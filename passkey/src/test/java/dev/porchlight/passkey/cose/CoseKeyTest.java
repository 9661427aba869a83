// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static dev.porchlight.passkey.data.CborEncoder.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.MalformedException;
import org.junit.jupiter.api.Test;

class CoseKeyTest {
    @Test
    void the_algorithm_of_an_unsupported_key_is_read() throws MalformedException {
        assertThat(CoseKey.read(map(1, 3, 3, -257)).algorithm()).isEqualTo(-257);
        assertThat(CoseKey.read(map(1, 3, 3, -257)).algorithm()).isEqualTo(-257);
        assertThat(CoseKey.read(map(3, -7)).algorithm()).isEqualTo(-7);
        assertThat(CoseKey.read(map(3, 7)).algorithm()).isEqualTo(7);
    }

    @Test
    void T32_a_key_without_an_algorithm_is_refused() {
        assertThatThrownBy(() -> CoseKey.read(map(1, 2)))
                .isInstanceOf(MalformedException.class)
                .hasMessage("credentialPublicKey.alg: missing or not a number");
        assertThatThrownBy(() -> CoseKey.read(map(3, "ES256")))
                .hasMessage("credentialPublicKey.alg: missing or not a number");
        assertThatThrownBy(() -> CoseKey.read(map("3", -7)))
                .hasMessage("credentialPublicKey.alg: missing or not a number");
    }
}
