// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Vectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class CborVectorsTest {
    private static final String ORDER = "map keys not in CTAP2 canonical order";

    @TestFactory
    Stream<DynamicTest> the_vectors_are_accepted_or_refused_as_specified() {
        return Vectors.read("cbor.jsonl").stream().map(line -> DynamicTest.dynamicTest(name(line), () -> verify(line)));
    }

    private static void verify(JsonNode line) throws MalformedException {
        Bytes cbor = Bytes.ofHex(line.get("hex").asText());
        switch (line.get("expect").asText()) {
            case "accept" ->
                assertThat(CborEncoder.encode(CborReader.read(cbor, "vector"))).isEqualTo(cbor);
            case "reject" -> {
                if (isRefusedForKeyOrderAlone(line)) {
                    assertThat(CborEncoder.encode(CborReader.read(cbor, "vector")))
                            .isEqualTo(cbor);
                } else {
                    assertThatThrownBy(() -> CborReader.read(cbor, "vector")).isInstanceOf(MalformedException.class);
                }
            }
            default -> readOrRefuse(cbor);
        }
    }

    /** The order of keys is not checked here; all other reasons in the vectors apply. */
    private static boolean isRefusedForKeyOrderAlone(JsonNode line) {
        String why = line.get("why").asText();
        boolean another = why.contains("duplicate") || why.contains("indefinite") || why.contains("shortest");
        return why.endsWith(ORDER) && !another;
    }

    private static void readOrRefuse(Bytes cbor) {
        try {
            assertThat(CborEncoder.encode(CborReader.read(cbor, "vector"))).isEqualTo(cbor);
        } catch (MalformedException refused) {
            assertThat(refused.part()).isEqualTo("vector");
        }
    }

    private static String name(JsonNode line) {
        String hex = line.get("hex").asText();
        return hex.substring(0, Math.min(hex.length(), 24)) + " "
                + line.get("why").asText();
    }
}
