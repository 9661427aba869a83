// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import static dev.porchlight.passkey.oracle.Difference.both;
import static dev.porchlight.passkey.oracle.Difference.webauthn4j;
import static dev.porchlight.passkey.oracle.Difference.yubico;

import dev.porchlight.passkey.oracle.Difference.Judge;
import java.util.List;
import java.util.stream.Stream;

/** Every difference between this library and its oracles, with its reason. */
final class Differences {
    /** Refused here, accepted by at least one oracle. */
    static final List<Difference> STRICTER = List.of(
            // The JSON around a response
            both(
                    "do not compare `id` and `rawId` of a registration with the authenticator data",
                    "id-absent",
                    "registration/raw-id-absent",
                    "registration/id-empty",
                    "registration/id-padded",
                    "registration/id-with-stray-bits",
                    "registration/id-of-1024-octets",
                    "id-differs-from-authenticator-data"),
            both(
                    "accept base64url with padding",
                    "authentication/id-padded",
                    "attestation-object-padded",
                    "authenticator-data-padded",
                    "challenge-padded",
                    "user-handle-padded"),
            both("do not limit the size of a response", "client-data-of-64-kilobytes"),
            both("accept the results of the prf extension, which are secrets", "extension-results-with-secrets"),
            webauthn4j("reads `rawId` and not `id`", "id-differs-from-raw-id", "registration/raw-id-differs-from-id"),
            webauthn4j("does not read the type of the credential", "type-of-a-password", "type-absent"),
            webauthn4j("does not require extension results", "extension-results-absent"),
            webauthn4j(
                    "accepts base64url with non-zero trailing bits",
                    "authentication/id-with-stray-bits",
                    "challenge-with-stray-bits"),
            yubico("does not require `rawId`", "authentication/raw-id-absent"),
            yubico("accepts base64url with excess padding", "client-data-padded"),
            yubico(
                    "ignores data after the first JSON value",
                    "body-with-a-tail",
                    "client-data-twice",
                    "client-data-with-a-tail"),

            // Client data
            both(
                    "use the last of two members with the same name",
                    "type-twice",
                    "challenge-twice",
                    "origin-twice",
                    "origin-twice-by-escape"),
            both("accept overlong UTF-8 encodings", "client-data-with-an-overlong-letter"),
            webauthn4j("replaces invalid UTF-8", "client-data-not-utf-8"),
            webauthn4j("does not require the id of a token binding", "token-binding-without-its-id"),
            webauthn4j(
                    "compares scheme, host and port of an origin instead of its text",
                    "origin-with-the-default-port",
                    "origin-in-capitals",
                    "origin-with-a-slash",
                    "origin-with-a-path"),
            yubico("accepts JSON in UTF-16", "client-data-in-utf-16"),
            yubico(
                    "does not check `crossOrigin` and `topOrigin`",
                    "cross-origin",
                    "cross-origin-not-a-boolean",
                    "top-origin-foreign",
                    "top-origin-our-own",
                    "top-origin-without-a-frame",
                    "top-origin-not-a-string",
                    "reg-w3c-003",
                    "reg-w3c-004",
                    "auth-w3c-003",
                    "auth-w3c-004"),

            // CBOR and authenticator data
            both(
                    "accept CBOR that CTAP2 forbids: tags, duplicate keys, non-minimal and indefinite lengths",
                    "object-under-a-tag",
                    "object-format-twice",
                    "object-of-indefinite-length",
                    "object-authenticator-data-in-chunks",
                    "object-count-not-shortest",
                    "object-length-not-shortest",
                    "key-of-indefinite-length"),
            both(
                    "ignore unexpected members, even a private key",
                    "object-with-another-member",
                    "key-with-its-private-part",
                    "key-with-a-key-id"),
            both("accept an empty credential id", "credential-id-empty"),
            webauthn4j(
                    "does not require the data that a flag announces",
                    "extensions-announced-only",
                    "authentication/attested-data-announced-only"),
            yubico(
                    "ignores trailing data",
                    "object-with-a-tail",
                    "registration/extensions-with-a-tail",
                    "authentication/extensions-unannounced",
                    "authentication/authenticator-data-with-a-tail"),
            yubico("accepts extensions that are not a map", "extensions-not-a-map"),
            yubico("accepts attested credential data in an assertion", "attested-data-in-an-assertion"),
            yubico("does not limit the length of credential ids", "credential-id-of-1024-octets"),
            yubico("does not compare backup eligibility with the registration", "backup-eligibility-lost"),

            // Keys and signatures
            both(
                    "leave the point to the JDK, which does not check that it is on the curve",
                    "key-off-the-curve",
                    "key-beside-the-curve",
                    "key-at-infinity",
                    "key-beyond-the-field",
                    "key-all-ones",
                    "key-x-of-33-octets",
                    "key-y-of-33-octets"),
            both(
                    "leave DER to the JDK, which reads a negative number as a positive one",
                    "signature-with-a-negative-integer"),
            webauthn4j(
                    "does not check that the members of a key are consistent",
                    "key-curve-p384",
                    "key-curve-ed25519",
                    "key-in-string-labels",
                    "key-x-of-31-octets",
                    "key-empty-coordinates",
                    "key-label-twice"),
            both(
                    "leave RSA keys to the JDK, which accepts other sizes, exponents and encodings",
                    "rsa-for-es256",
                    "rsa-exponent-3",
                    "rsa-exponent-even",
                    "rsa-exponent-of-33-bits",
                    "rsa-exponent-padded",
                    "rsa-of-1024-bits",
                    "rsa-of-2047-bits",
                    "rsa-of-4104-bits",
                    "rsa-modulus-padded",
                    "rsa-modulus-even",
                    "rsa-with-its-private-exponent"),
            webauthn4j("does not convert an RSA key at registration", "rsa-exponent-1", "rsa-modulus-empty"),
            webauthn4j("supports Ed448", "reg-w3c-011", "auth-w3c-011"),
            yubico("supports Ed448", "auth-w3c-011"),

            // Attestation
            both("treat absent basic constraints as \"not a CA\"", "packed-certificate-without-constraints"),
            yubico("accepts unknown formats as unattested", "format-unknown", "format-in-capitals", "format-empty"),
            yubico(
                    "does not check the statement of the format `none`",
                    "none-with-a-statement",
                    "object-statement-with-a-float",
                    "object-statement-with-undefined"),

            // Users and credential ids
            webauthn4j(
                    "leaves the owner of a credential to its caller",
                    "credential-id-of-another-user",
                    "authentication/user-handle-of-another-user",
                    "authentication/user-handle-unknown",
                    "authentication/user-handle-of-65-octets",
                    "usernameless/user-handle-absent",
                    "usernameless/user-handle-null",
                    "usernameless/user-handle-empty",
                    "usernameless/user-handle-unknown",
                    "usernameless/user-handle-of-another-user"));

    /** Accepted here, refused by at least one oracle. */
    static final List<Difference> LENIENT = List.of(
            webauthn4j(
                    "refuses a byte order mark, which the specification's UTF-8 decoding removes",
                    "client-data-after-a-byte-order-mark"),
            yubico("refuses unknown members of the response", "body-with-more-members"),
            yubico("does not support Level 1's `not-supported` token binding", "token-binding-not-supported"),
            both(
                    "refuse a token binding with an unknown status, which Level 2 treats as absent",
                    "token-binding-of-an-unknown-status"),
            webauthn4j("cannot read the empty name of a TPM's key, which is not used", "reg-w3c-012"),
            webauthn4j(
                    "requires the origin and the purpose of an Android key, which this example omits", "reg-w3c-013"),
            webauthn4j("refuses a U2F registration with an AAGUID, which this example has", "reg-w3c-015"),
            yubico(
                    "refuses the country code AA of these examples' certificates",
                    "reg-w3c-006",
                    "reg-w3c-007",
                    "reg-w3c-008",
                    "reg-w3c-009",
                    "reg-w3c-010"));

    private Differences() {}

    /** Returns whether this case is listed as accepted here and refused by both. */
    static boolean acceptedHereAlone(String caseName) {
        return LENIENT.stream().anyMatch(it -> it.oracles().size() == Judge.values().length && it.covers(caseName));
    }

    /** Returns whether an oracle is listed as differing on this case. */
    static boolean listed(Judge oracle, String caseName) {
        return Stream.concat(STRICTER.stream(), LENIENT.stream())
                .anyMatch(it -> it.oracles().contains(oracle) && it.covers(caseName));
    }
}
