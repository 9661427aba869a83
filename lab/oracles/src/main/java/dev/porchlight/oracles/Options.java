// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.oracles;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The options of a ceremony, reduced to what a relying party needs to verify the response. */
final class Options {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectNode json;

    private Options(ObjectNode json) {
        this.json = json;
    }

    static Options parse(String text) throws JsonProcessingException {
        ObjectNode json = (ObjectNode) JSON.readTree(text);
        if (!json.has("extensions")) {
            json.putObject("extensions"); // required by Yubico's library, optional in browsers
        }
        return new Options(json);
    }

    ObjectNode json() {
        return json;
    }

    byte[] challenge() {
        return Base64.getUrlDecoder().decode(json.get("challenge").asText());
    }

    boolean requiresVerification() {
        JsonNode creation = json.path("authenticatorSelection").path("userVerification");
        return creation.asText().equals("required")
                || json.path("userVerification").asText().equals("required");
    }

    List<Integer> algorithms() {
        List<Integer> algorithms = new ArrayList<>();
        json.path("pubKeyCredParams").forEach(it -> algorithms.add(it.get("alg").asInt()));
        return algorithms;
    }

    /** The ids of the allowed credentials, in base64url. */
    List<String> allowed() {
        List<String> ids = new ArrayList<>();
        json.path("allowCredentials").forEach(it -> ids.add(it.get("id").asText()));
        return ids;
    }
}
