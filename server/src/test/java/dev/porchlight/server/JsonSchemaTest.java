// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonSchemaTest {
    private static final JsonObject ROOT = JsonObject.parse("{\"schemas\":{\"Word\":{\"type\":\"string\"}}}");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'string'}                                    | 'a'        | 7",
                "{'type':['string','null']}                           | null       | 7",
                "{'type':'integer'}                                   | 7          | 7.5",
                "{'type':'number'}                                    | 7.5        | true",
                "{'type':'boolean'}                                   | true       | 'true'",
                "{'type':'array','items':{'type':'integer'}}          | [1,2]      | [1,'2']",
                "{'const':'EC'}                                       | 'EC'       | 'ec'",
                "{'enum':['up','down']}                               | 'up'       | 'sideways'",
                "{'pattern':'^[a-z]*$'}                               | 'abc'      | 'a-c'",
                "{'type':'object','required':['a']}                   | {'a':1}    | {'b':1}",
                "{'properties':{'a':{'type':'integer'}}}              | {'b':'x'}  | {'a':'x'}",
                "{'properties':{'a':{}},'additionalProperties':false} | {'a':1}    | {'b':1}",
                "{'additionalProperties':{'type':'integer'}}          | {'a':1}    | {'a':'x'}",
                "{'$ref':'#/schemas/Word'}                            | 'a'        | 7",
            })
    void values_are_checked_against_the_schema(String schema, String good, String bad) {
        assertThat(faults(schema, good)).isEmpty();
        assertThat(faults(schema, bad)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {"{'oneOf':[]} | 1", "{'type':'text'} | 'a'"})
    void unknown_keywords_are_reported(String schema, String value) {
        assertThat(faults(schema, value)).hasSize(1);
    }

    private static List<String> faults(String schema, String value) {
        JsonObject holder = JsonObject.parse(("{'schema':" + schema + ",'value':" + value + "}").replace('\'', '"'));
        return JsonSchema.faults(ROOT, holder.object("schema"), holder.get("value"));
    }
}
