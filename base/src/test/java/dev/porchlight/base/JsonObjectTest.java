// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
    @Test
    void an_array_of_objects_keeps_its_order_and_an_absent_one_is_empty() throws MalformedException {
        JsonObject json = JsonObject.parse("{\"steps\":[{\"step\":\"a\"},{\"step\":\"b\"}],\"none\":null}", "");

        List<JsonObject> steps = json.objects("steps");

        assertThat(steps).hasSize(2);
        assertThat(steps.get(0).text("step")).isEqualTo("a");
        assertThat(steps.get(1).text("step")).isEqualTo("b");
        assertThat(json.objects("none")).isEmpty();
        assertThat(json.objects("absent")).isEmpty();
    }

    @Test
    void a_member_of_the_wrong_type_is_malformed_and_the_message_names_its_path() throws MalformedException {
        JsonObject json = JsonObject.parse("{\"text\":\"a\",\"mixed\":[{},1],\"steps\":[{}]}", "response");

        assertThatThrownBy(() -> json.objects("text")).isInstanceOf(MalformedException.class);
        assertThatThrownBy(() -> json.objects("mixed"))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("response.mixed");
        assertThatThrownBy(() -> json.objects("steps").get(0).text("step"))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining("response.steps.step");
    }

    @Test
    void an_array_of_integers_has_no_other_elements() throws MalformedException {
        JsonObject json = JsonObject.parse("{\"bytes\":[165,1],\"mixed\":[1,\"a\"],\"big\":[1e3]}", "");

        assertThat(json.integers("bytes")).containsExactly(165L, 1L);
        for (String name : List.of("mixed", "big", "absent")) {
            assertThatThrownBy(() -> json.integers(name))
                    .isInstanceOf(MalformedException.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void the_type_of_a_member_can_be_queried() throws MalformedException {
        JsonObject json = JsonObject.parse("{\"text\":\"a\",\"object\":{},\"none\":null}", "");

        assertThat(json.isText("text")).isTrue();
        assertThat(json.isObject("object")).isTrue();
        for (String name : List.of("none", "absent")) {
            assertThat(json.isText(name) || json.isObject(name)).isFalse();
        }
    }
}
