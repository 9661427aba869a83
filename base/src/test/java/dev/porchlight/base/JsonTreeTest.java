// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTreeTest {
    @Test
    void a_tree_is_written_as_it_was_read() {
        String json =
                "{\"b\":{\"text\":\"ü\\\"\",\"number\":-7,\"others\":[0.25,1e3,9223372036854775808,null]},\"a\":[true,[],{}]}";

        assertThat(JsonTree.write(JsonTree.parse(json))).isEqualTo(json);
    }

    @Test
    void members_can_be_changed() {
        Map<String, Object> tree = JsonTree.parse("{\"a\":{\"b\":1}}");

        JsonTree.object(tree, "a").put("c", "new");

        assertThat(JsonTree.write(tree)).isEqualTo("{\"a\":{\"b\":1,\"c\":\"new\"}}");
        assertThatIllegalArgumentException().isThrownBy(() -> JsonTree.object(tree, "b"));
    }

    @Test
    void a_document_may_be_longer_than_what_is_accepted_from_others() {
        String text = "x".repeat(JsonObject.MAX_CHARS);

        assertThat(JsonTree.parse("{\"a\":\"" + text + "\"}")).containsEntry("a", text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{} {}", "{\"a\":1,\"a\":2}"})
    void an_invalid_document_is_refused(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonTree.parse(json));
    }
}
