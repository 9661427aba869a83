// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
    @Test
    void an_array_of_objects_is_read_in_its_order_and_one_that_is_not_there_is_empty() throws MalformedException {
        JsonObject json = JsonObject.parse("{\"steps\":[{\"step\":\"a\"},{\"step\":\"b\"}],\"none\":null}", "");

        List<JsonObject> steps = json.objects("steps");

        assertThat(steps).hasSize(2);
        assertThat(steps.get(0).text("step")).isEqualTo("a");
        assertThat(steps.get(1).text("step")).isEqualTo("b");
        assertThat(json.objects("none")).isEmpty();
        assertThat(json.objects("absent")).isEmpty();
    }

    @Test
    void what_is_not_an_array_of_objects_is_malformed_and_says_where() throws MalformedException {
        JsonObject json = JsonObject.parse("{\"text\":\"a\",\"mixed\":[{},1],\"steps\":[{}]}", "answer");

        assertThatThrownBy(() -> json.objects("text")).isInstanceOf(MalformedException.class);
        assertThatThrownBy(() -> json.objects("mixed"))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("answer.mixed");
        assertThatThrownBy(() -> json.objects("steps").get(0).text("step"))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("answer.steps.step");
    }
}
