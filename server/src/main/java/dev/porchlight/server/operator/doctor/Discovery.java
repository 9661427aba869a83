// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.openid.client.Client;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The discovery document that clients read.
 *
 * @param algorithms of ID tokens
 * @param methods by which clients authenticate
 */
record Discovery(List<String> algorithms, List<String> methods) {
    static final String PATH = "/.well-known/openid-configuration";

    /**
     * Reads the document of a running service; null if there is none to compare clients with.
     *
     * @param results receives what is wrong with the document itself
     */
    static @Nullable Discovery read(URI url, String issuer, Duration timeout, List<Diagnosis> results) {
        URI address = url.resolve(PATH);
        try {
            HttpResponse<String> response = new HttpProbe(timeout).get(address);
            if (response.statusCode() != 200) {
                results.add(
                        Diagnosis.problem(
                                address + " responds with " + response.statusCode()
                                        + ", although clients are registered",
                                "./porchlight serve   # with the same DATABASE_URL, DATA_DIR and LOGIN_RESULT as this command"));
                return null;
            }
            JsonObject document = JsonObject.parse(response.body(), "discovery");
            String served = document.text("issuer");
            if (!served.equals(issuer)) {
                results.add(Diagnosis.problem(
                        "discovery names the issuer " + printable(served) + ", but RP_ORIGIN is " + issuer
                                + ": clients refuse tokens of another issuer",
                        "export RP_ORIGIN=" + issuer + "   # for the service too, and restart it"));
            }
            return new Discovery(
                    document.texts("id_token_signing_alg_values_supported"),
                    document.texts("token_endpoint_auth_methods_supported"));
        } catch (IOException e) {
            results.add(Diagnosis.skipped("clients and discovery: compared only while the service runs at " + address));
        } catch (MalformedException e) {
            results.add(Diagnosis.problem(
                    address + " is not a discovery document: " + printable(String.valueOf(e.getMessage())),
                    "curl -i " + address + "   # shows what responds instead of the service"));
        }
        return null;
    }

    /** Compares what a client needs with what the service offers. */
    void check(Client client, List<Diagnosis> results) {
        String algorithm = client.settings().idTokenAlgorithm();
        if (!algorithms.contains(algorithm)) {
            results.add(Diagnosis.problem(
                    "the client " + client.id() + " needs ID tokens with " + printable(algorithm)
                            + ", but discovery offers " + printable(algorithms.toString()),
                    "./porchlight clients change " + client.id() + " --id-token-algorithm ES256"));
        }
        if (client.authenticationMethods().stream().noneMatch(methods::contains)) {
            results.add(Diagnosis.problem(
                    "the client " + client.id() + " authenticates with "
                            + String.join(" or ", client.authenticationMethods()) + ", but discovery offers "
                            + printable(methods.toString()),
                    "./porchlight clients remove " + client.id()
                            + "   # and add it again with another method, or update the running service"));
        }
    }

    /** A text from elsewhere, without control characters. */
    static String printable(String text) {
        return text.replaceAll("\\p{C}", "?");
    }
}
