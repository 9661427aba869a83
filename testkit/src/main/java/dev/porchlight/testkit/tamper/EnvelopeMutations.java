// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.ENVELOPE;
import static dev.porchlight.testkit.response.Seam.TEXT;
import static dev.porchlight.testkit.tamper.CeremonyType.AUTHENTICATION;
import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;

import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Mutations of the JSON around a response, which is not signed. */
final class EnvelopeMutations extends MutationTable {
    private static final String OTHER_ID = Octets.base64Url(Octets.filled(32, 7));

    EnvelopeMutations() {
        shapes();
        identifiers();
        registrations();
        assertions();
    }

    private void shapes() {
        inBoth("7.1.3", "7.2.3", "");
        invalid("body-not-json", "is not JSON", swap(TEXT, it -> "hello"));
        invalid("body-empty", "is empty", swap(TEXT, it -> ""));
        invalid("body-in-a-list", "is a list that contains the response", swap(TEXT, it -> "[" + it + "]"));
        invalid("body-with-a-tail", "has trailing text", swap(TEXT, it -> it + "{}"));
        invalid("type-of-a-password", "claims to be a password credential", top("type", "password"));
        invalid("type-absent", "leaves the credential's type out", withoutTop("type"));
        invalid("response-absent", "leaves the response out", withoutTop("response"));
        invalid("response-null", "has null for the response", top("response", null));
        invalid("response-not-an-object", "has a string for the response", top("response", "AAAA"));
        invalid("client-data-absent", "leaves the client data out", withoutInner("clientDataJSON"));
        invalid("client-data-member-null", "has null for the client data", inner("clientDataJSON", null));
        invalid(
                "client-data-as-an-object",
                "sends the client data as an object",
                inner("clientDataJSON", new JsonObject()));
        invalid("extension-results-absent", "leaves the extension results out", withoutTop("clientExtensionResults"));
        invalid(
                "extension-results-in-a-list",
                "has a list for the extension results",
                top("clientExtensionResults", List.of()));
        valid("body-with-more-members", "has unknown members", edit(ENVELOPE, it -> {
            it.put("later", true).object("response").put("later", List.of());
        }));
        valid("attachment-null", "has no authenticator attachment", top("authenticatorAttachment", null));
        valid("attachment-unknown", "has an unknown attachment", top("authenticatorAttachment", "implant"));
        valid(
                "extension-results-unasked",
                "has results of extensions that were not requested",
                top(
                        "clientExtensionResults",
                        new JsonObject().put("unknown", 1L).put("later", new JsonObject())));
        invalid(
                "extension-results-with-secrets",
                "has the secrets of the prf extension",
                top(
                        "clientExtensionResults",
                        new JsonObject()
                                .put("prf", new JsonObject().put("results", new JsonObject().put("first", OTHER_ID)))));

        inBoth("7.1.3", "7.2.3", "T41");
        spelled("client-data-padded", "pads the base64url of the client data", "clientDataJSON", Spelling::padded);
        spelled("client-data-broken-over-lines", "breaks the base64url over lines", "clientDataJSON", Spelling::broken);
        invalid("client-data-as-text", "sends the client data without encoding it", edit(ENVELOPE, it -> {
            JsonObject response = it.object("response");
            response.put("clientDataJSON", Octets.text(response.octets("clientDataJSON")));
        }));
    }

    private void identifiers() {
        inBoth("7.1.3", "7.2.3", "T16");
        invalid("id-absent", "leaves the id out", withoutTop("id"));
        invalid("raw-id-absent", "leaves the raw id out", withoutTop("rawId"));
        invalid(
                "id-empty",
                "has empty ids",
                edit(ENVELOPE, it -> it.put("id", "").put("rawId", "")));
        invalid("id-differs-from-raw-id", "has an id that differs from the raw id", top("id", OTHER_ID));
        invalid("raw-id-differs-from-id", "has a raw id that differs from the id", top("rawId", OTHER_ID));
        inBoth("7.1.3", "7.2.3", "T41");
        ids("id-padded", "pads both ids", Spelling::padded);
        ids("id-with-stray-bits", "sets the unused bits at the end of both ids", Spelling::strayBits);
        inBoth("7.1.3", "7.2.3", "T43");
        ids("id-of-1024-octets", "has ids of 1024 octets", it -> Octets.base64Url(Octets.filled(1024, 7)));
    }

    private void registrations() {
        in(REGISTRATION, "7.1.3", "");
        invalid("attestation-object-absent", "leaves the attestation object out", withoutInner("attestationObject"));
        invalid("response-of-an-assertion", "has the members of an assertion instead", edit(ENVELOPE, it -> {
            JsonObject response = it.object("response");
            response.remove("attestationObject").put("signature", "MAA");
        }));
        invalid("transports-not-a-list", "has a string for the transports", inner("transports", "usb"));
        invalid("transports-of-numbers", "has numbers for transports", inner("transports", List.of(1L, 2L)));
        valid("transports-unknown", "has unknown transports", inner("transports", List.of("usb", "telepathy")));
        valid(
                "convenience-copies-absent",
                "leaves out the members that older browsers do not send",
                edit(
                        ENVELOPE,
                        it -> it.object("response")
                                .remove("authenticatorData")
                                .remove("publicKey")
                                .remove("publicKeyAlgorithm")
                                .remove("transports")));
        valid(
                "convenience-copies-differ",
                "has a wrong copy of the algorithm and the key",
                edit(
                        ENVELOPE,
                        it -> it.object("response")
                                .put("publicKeyAlgorithm", -257L)
                                .put("publicKey", OTHER_ID)));
        in(REGISTRATION, "7.1.3", "T41");
        spelled("attestation-object-padded", "pads its base64url", "attestationObject", Spelling::padded);

        in(REGISTRATION, "7.1.23", "T16");
        ids("id-differs-from-authenticator-data", "has another id than the authenticator data", it -> OTHER_ID);
    }

    private void assertions() {
        in(AUTHENTICATION, "7.2.3", "");
        invalid("authenticator-data-absent", "leaves the authenticator data out", withoutInner("authenticatorData"));
        invalid("signature-absent", "leaves the signature out", withoutInner("signature"));
        invalid("signature-null", "has null for the signature", inner("signature", null));
        invalid(
                "response-of-a-registration",
                "has the members of a registration instead",
                edit(
                        ENVELOPE,
                        it -> it.object("response")
                                .remove("authenticatorData")
                                .remove("signature")
                                .put("attestationObject", "oA")));
        in(AUTHENTICATION, "7.2.3", "T41");
        spelled("authenticator-data-padded", "pads its base64url", "authenticatorData", Spelling::padded);
    }

    private void ids(String name, String description, UnaryOperator<String> change) {
        invalid(name, description, edit(ENVELOPE, it -> {
            String id = change.apply(it.string("id"));
            it.put("id", id).put("rawId", id);
        }));
    }

    private void spelled(String name, String description, String member, UnaryOperator<String> change) {
        invalid(name, description, edit(ENVELOPE, it -> {
            JsonObject response = it.object("response");
            response.put(member, change.apply(response.string(member)));
        }));
    }

    private static Seams top(String member, @Nullable Object value) {
        return edit(ENVELOPE, it -> it.put(member, value));
    }

    private static Seams withoutTop(String member) {
        return edit(ENVELOPE, it -> it.remove(member));
    }

    private static Seams inner(String member, @Nullable Object value) {
        return edit(ENVELOPE, it -> it.object("response").put(member, value));
    }

    private static Seams withoutInner(String member) {
        return edit(ENVELOPE, it -> it.object("response").remove(member));
    }
}
