// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.CLIENT_DATA;
import static dev.porchlight.testkit.response.Seam.ENVELOPE;

import dev.porchlight.testkit.response.ClientData;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Mutations of the members of client data, except for the origin. */
final class ClientDataMutations extends MutationTable {
    ClientDataMutations() {
        inBoth("7.1.6", "7.2.10", "");
        invalid("type-missing", "leaves the type out", without("type"));
        invalid("type-not-a-string", "has a number for the type", member("type", 1L));
        invalid("challenge-missing", "leaves the challenge out", without("challenge"));
        invalid("challenge-not-a-string", "has an object for the challenge", member("challenge", new JsonObject()));
        invalid("cross-origin-not-a-boolean", "has a string for crossOrigin", member("crossOrigin", "true"));
        framedBy("top-origin-not-a-string", "has a list for the top origin", it -> List.of("https://evil.test"));
        invalid("token-binding-without-its-id", "claims a token binding without its id", tokenBinding("present", null));
        invalid(
                "token-binding-not-an-object",
                "has a string for the token binding",
                member("tokenBinding", "supported"));
        invalid(
                "token-binding-without-status",
                "has an empty object for the token binding",
                member("tokenBinding", new JsonObject()));

        inBoth("7.1.7", "7.2.11", "T05");
        type(
                "type-of-the-other-ceremony",
                "claims to come from the other ceremony",
                it -> it.equals("webauthn.get") ? "webauthn.create" : "webauthn.get");
        type("type-in-capitals", "writes the type in capitals", it -> it.toUpperCase(Locale.ROOT));
        type("type-with-a-space", "ends the type with a space", it -> it + " ");
        invalid("type-of-a-payment", "claims to confirm a payment", member("type", "payment.get"));

        inBoth("7.1.8", "7.2.12", "T01");
        challenge(
                "challenge-never-issued",
                "has a challenge that was never issued",
                it -> Octets.base64Url(Octets.sha256(Octets.utf8(it))));
        challenge(
                "challenge-cut-short",
                "has only the first half of the challenge",
                it -> it.substring(0, it.length() / 2));
        challenge("challenge-extended", "appends four characters to the challenge", it -> it + "AAAA");
        challenge(
                "challenge-encoded-twice",
                "encodes the encoded challenge again",
                it -> Octets.base64Url(Octets.utf8(it)));
        challenge("challenge-empty", "has an empty challenge", it -> "");

        inBoth("7.1.8", "7.2.12", "T41");
        challenge("challenge-padded", "pads the base64url of the challenge", Spelling::padded);
        challenge("challenge-with-stray-bits", "sets unused bits at the end of the challenge", Spelling::strayBits);

        earlierChallenge(CeremonyType.REGISTRATION, "7.1.8");
        earlierChallenge(CeremonyType.AUTHENTICATION, "7.2.12");

        inBoth("7.1.9", "7.2.13", "T26");
        invalid("cross-origin", "comes from a frame inside a page of another origin", member("crossOrigin", true));
        framedBy("top-origin-foreign", "comes from a frame in a page of another origin", it -> "https://evil.test");
        framedBy("top-origin-our-own", "claims to come from a frame inside our own page", ClientData::origin);
        invalid(
                "top-origin-without-a-frame",
                "has a top origin but is not in a frame",
                member("topOrigin", "https://evil.test"));
        valid("cross-origin-unsaid", "does not mention cross-origin, like older browsers", without("crossOrigin"));

        inBoth("7.1.10", "7.2.14", "T38");
        invalid(
                "token-binding-present",
                "claims a token binding that the connection never had",
                tokenBinding("present", "AAAA"));
        valid(
                "token-binding-supported",
                "reports that the browser supports token binding",
                tokenBinding("supported", null));
        valid(
                "token-binding-not-supported",
                "reports that the browser does not support it, as in Level 1",
                tokenBinding("not-supported", null));
        valid(
                "token-binding-of-an-unknown-status",
                "has an unknown token binding status",
                tokenBinding("perhaps", null));
    }

    private void framedBy(String name, String description, Function<ClientData, Object> top) {
        invalid(
                name,
                description,
                edit(CLIENT_DATA, it -> it.members().put("crossOrigin", true).put("topOrigin", top.apply(it))));
    }

    private void type(String name, String description, UnaryOperator<String> change) {
        invalid(name, description, edit(CLIENT_DATA, it -> it.members().put("type", change.apply(it.type()))));
    }

    private void challenge(String name, String description, UnaryOperator<String> change) {
        invalid(
                name,
                description,
                edit(CLIENT_DATA, it -> it.members().put("challenge", change.apply(it.challenge()))));
    }

    /** The second mutation also sends the live challenge in unsigned places, where a relying party might look. */
    private void earlierChallenge(CeremonyType ceremony, String step) {
        in(ceremony, step, "T01", Precondition.EARLIER_CEREMONY);
        Seams earlier = edit(CLIENT_DATA, it -> it.members().put("challenge", it.earlierChallenge()));
        invalid("challenge-of-an-earlier-ceremony", "has the challenge of an earlier ceremony", earlier);
        in(ceremony, step, "T09", Precondition.EARLIER_CEREMONY);
        invalid(
                "challenge-live-beside-an-earlier-one",
                "has an earlier challenge, and the live one in another member",
                edit(
                                CLIENT_DATA,
                                it -> it.members().put("live", it.challenge()).put("challenge", it.earlierChallenge()))
                        .edit(ENVELOPE, it -> it.put("challenge", live(it))));
    }

    private static String live(JsonObject envelope) {
        byte[] clientData = envelope.object("response").octets("clientDataJSON");
        return JsonObject.parse(Octets.text(clientData)).string("live");
    }

    private static Seams member(String name, @Nullable Object value) {
        return edit(CLIENT_DATA, it -> it.members().put(name, value));
    }

    private static Seams without(String name) {
        return edit(CLIENT_DATA, it -> it.members().remove(name));
    }

    private static Seams tokenBinding(String status, @Nullable String id) {
        return edit(CLIENT_DATA, it -> {
            JsonObject binding = new JsonObject().put("status", status);
            it.members().put("tokenBinding", id == null ? binding : binding.put("id", id));
        });
    }
}
