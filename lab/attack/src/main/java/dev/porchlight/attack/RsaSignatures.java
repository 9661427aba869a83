// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Logins with an RSA passkey whose signature, message or padding is wrong. */
final class RsaSignatures implements Attack {
    /** The testkit's mutations of signatures, except those of ECDSA's numbers and their encoding. */
    private static final List<String> MUTATIONS = List.of(
            "signed-by-another-key",
            "signed-with-an-rsa-key",
            "signed-without-authenticator-data",
            "signed-without-client-data",
            "signed-client-data-itself",
            "signed-in-the-wrong-order",
            "signed-other-client-data",
            "client-data-changed-later",
            "authenticator-data-changed-later",
            "user-verified-later",
            "signature-empty",
            "signature-garbage",
            "signature-one-bit-off",
            "signature-with-a-tail",
            "signature-cut-short",
            "signature-of-64-kilobytes");

    @Override
    public void run(Scene scene, Score score) {
        Account person = scene.attacker();
        if (!offered(person.creationOptions())) {
            score.skip("logins with RSA passkeys", "the service does not offer RS256");
            return;
        }
        SoftAuthenticator authenticator = SoftAuthenticator.builder()
                .algorithms(KeyAlgorithm.RS256.cose())
                .build();
        SoftBrowser browser = new SoftBrowser(scene.origin(), authenticator).picks(person.userId());
        person.register(browser, person.access().headers());
        try {
            Pkcs1Forger forger = Pkcs1Forger.withKeyOf(authenticator);
            String valid = forge(browser.get(person.options()), forger::valid);
            if (!person.finish(valid).ok()) {
                throw new AttackException("a valid login with an RSA passkey failed");
            }
            Map<String, UnaryOperator<String>> attempts = new LinkedHashMap<>();
            for (String name : MUTATIONS) {
                Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, name);
                attempts.put(name + " (" + mutation.target() + ')', options -> browser.get(options, mutation));
            }
            forger.forgeries()
                    .forEach(
                            (name, signature) -> attempts.put(name, options -> forge(browser.get(options), signature)));
            attempts.forEach((name, respond) -> {
                if (scene.target().isOver()) {
                    score.outOfTime(name);
                } else {
                    score.judge(name, person.finish(respond.apply(person.options())));
                }
            });
        } finally {
            person.removeFurther();
        }
    }

    /** Whether creation options offer RS256. */
    static boolean offered(String options) {
        return JsonObject.parse(options).objects("pubKeyCredParams").stream()
                .anyMatch(it -> it.integer("alg") == KeyAlgorithm.RS256.cose());
    }

    /** The same response with another signature of its message. */
    private static String forge(String assertion, Function<byte[], byte[]> signature) {
        JsonObject all = JsonObject.parse(assertion);
        JsonObject response = all.object("response");
        byte[] message =
                Octets.join(response.octets("authenticatorData"), Octets.sha256(response.octets("clientDataJSON")));
        response.put("signature", Octets.base64Url(signature.apply(message)));
        return all.toString();
    }
}
