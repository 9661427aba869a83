// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class DerTest {
    @Test
    void elements_are_encoded_as_in_x690() {
        assertThat(hex(Der.integer(127))).isEqualTo("02017f");
        assertThat(hex(Der.integer(128))).isEqualTo("02020080");
        assertThat(hex(Der.oid("1.2.840.113549"))).isEqualTo("06062a864886f70d");
        assertThat(hex(Der.bool(true))).isEqualTo("0101ff");
        assertThat(hex(Der.none())).isEqualTo("0500");
        assertThat(hex(Der.sequence(Der.integer(1)))).isEqualTo("3003020101");
        assertThat(hex(Der.utcTime(Instant.parse("2026-11-15T12:00:00Z"))))
                .isEqualTo("170d" + "3236313131353132303030305a");
    }

    @Test
    void long_lengths_and_high_tags_are_encoded() {
        assertThat(hex(Der.octets(new byte[200]))).startsWith("0481c8");
        assertThat(hex(Der.octets(new byte[300]))).startsWith("0482012c");
        assertThat(hex(Der.tagged(1, Der.none()))).isEqualTo("a1020500");
        assertThat(hex(Der.tagged(600, Der.none()))).isEqualTo("bf8458020500");
        assertThat(hex(Der.tagged(702, Der.none()))).isEqualTo("bf853e020500");
    }

    /** The JDK parses the complete certificate. */
    @Test
    void the_jdk_reads_the_certificates() throws Exception {
        X509Certificate root = SoftAuthenticator.attestationRoot();
        root.verify(root.getPublicKey());
        root.checkValidity();
        assertThat(root.getVersion()).isEqualTo(3);
        assertThat(root.getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
        assertThat(root.getSubjectX500Principal().getName())
                .contains("O=Porchlight testkit")
                .contains("C=CH");
    }

    private static String hex(byte[] der) {
        return HexFormat.of().formatHex(der);
    }
}
