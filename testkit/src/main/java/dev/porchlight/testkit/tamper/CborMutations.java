// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.ATTESTATION_OBJECT;
import static dev.porchlight.testkit.response.Seam.ATTESTATION_OBJECT_OCTETS;
import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;

import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import java.util.function.UnaryOperator;

/** Mutations of the CBOR of the attestation object. */
final class CborMutations extends MutationTable {
    private static final byte[] FORMAT_NONE = Octets.join(Cbor.encode("fmt"), Cbor.encode("none"));

    CborMutations() {
        in(REGISTRATION, "7.1.12", "T33");
        octets("object-empty", "is empty", it -> new byte[0]);
        octets("object-with-a-tail", "has a trailing octet", it -> Octets.join(it, Octets.of(0)));
        octets("object-unfinished", "is truncated", it -> Octets.head(it, it.length - 1));
        octets("object-in-a-list", "is a list that contains the map", it -> Octets.join(Octets.of(0x81), it));
        octets("object-under-a-tag", "is tagged", it -> Octets.join(Octets.of(0xd9, 0xd9, 0xf7), it));
        octets(
                "object-of-indefinite-length",
                "has an indefinite length",
                it -> Octets.join(Octets.of(0xbf), Octets.tail(it, 1), Octets.of(0xff)));
        octets(
                "object-count-not-shortest",
                "has its member count in two octets",
                it -> Octets.join(Octets.of(0xb8, 0x03), Octets.tail(it, 1)));
        octets(
                "object-format-twice",
                "has the format twice",
                it -> Octets.join(Octets.of(0xa4), FORMAT_NONE, Octets.tail(it, 1)));
        octets(
                "object-claims-more-members",
                "claims one member more than it has",
                it -> Octets.join(Octets.of(0xa4), Octets.tail(it, 1)));
        octets(
                "object-claims-billions-of-members",
                "claims 2^32-1 members",
                it -> Octets.join(Octets.of(0xba, 0xff, 0xff, 0xff, 0xff), Octets.tail(it, 1)));
        octets(
                "object-in-ctap-labels",
                "has CTAP2 numbers as names",
                it -> Octets.of(0xa3, 0x01, 0x64, 'n', 'o', 'n', 'e', 0x02, 0x40, 0x03, 0xa0));
        valid(
                "object-in-another-order",
                "has its members in another order",
                swap(
                        ATTESTATION_OBJECT_OCTETS,
                        it -> Octets.join(Octets.of(0xa3), Octets.tail(it, 1 + FORMAT_NONE.length), FORMAT_NONE)));

        without("object-without-format", "leaves the format out", "fmt");
        without("object-without-statement", "leaves the statement out", "attStmt");
        without("object-without-authenticator-data", "leaves the authenticator data out", "authData");
        member("object-with-another-member", "has a fourth member", "later", 1);
        member("object-format-in-octets", "has the format in a byte string", "fmt", Octets.utf8("none"));
        member("object-format-not-utf-8", "has a format that is not UTF-8", "fmt", raw(0x62, 0xc3, 0x28));
        member("object-statement-in-a-list", "has a list for the statement", "attStmt", List.of());
        member("object-statement-null", "has null for the statement", "attStmt", raw(0xf6));
        member(
                "object-statement-with-a-float",
                "has a float in the statement",
                "attStmt",
                raw(0xa1, 0x61, 'x', 0xf9, 0x3c, 0));
        member(
                "object-statement-with-undefined",
                "has undefined in the statement",
                "attStmt",
                raw(0xa1, 0x61, 'x', 0xf7));
        member("object-authenticator-data-in-text", "has a text for authenticator data", "authData", "AAAA");
        member(
                "object-claims-4-gigabytes",
                "claims 2^32-1 octets of authenticator data",
                "authData",
                raw(0x5a, 0xff, 0xff, 0xff, 0xff));
        member(
                "object-claims-8-exabytes",
                "claims 2^63 octets of authenticator data",
                "authData",
                raw(0x5b, 0x80, 0, 0, 0, 0, 0, 0, 0));
        member(
                "object-claims-billions-of-items",
                "claims a list of 2^32-1 items",
                "attStmt",
                raw(0xa1, 0x61, 'x', 0x9a, 0xff, 0xff, 0xff, 0xff));
        member(
                "object-nested-deep",
                "nests twenty thousand lists",
                "attStmt",
                new Cbor.Raw(Octets.join(Octets.filled(20_000, 0x81), Octets.of(0x80))));
        invalid(
                "object-authenticator-data-in-chunks",
                "has authenticator data in chunks",
                edit(ATTESTATION_OBJECT, it -> {
                    if (it.get("authData") instanceof byte[] data) {
                        it.put(
                                "authData",
                                new Cbor.Raw(Octets.join(Octets.of(0x5f), Cbor.encode(data), Octets.of(0xff))));
                    }
                }));
        invalid(
                "object-length-not-shortest",
                "has a length in four octets that fits into one",
                edit(ATTESTATION_OBJECT, it -> {
                    if (it.get("authData") instanceof byte[] data) {
                        byte[] head = Octets.join(Octets.of(0x5a), Octets.bigEndian(data.length, 4));
                        it.put("authData", new Cbor.Raw(Octets.join(head, data)));
                    }
                }));
    }

    private void octets(String name, String description, UnaryOperator<byte[]> change) {
        invalid(name, description, swap(ATTESTATION_OBJECT_OCTETS, change));
    }

    private void member(String name, String description, String member, Object value) {
        invalid(name, description, edit(ATTESTATION_OBJECT, it -> it.put(member, value)));
    }

    private void without(String name, String description, String member) {
        invalid(name, description, edit(ATTESTATION_OBJECT, it -> it.remove(member)));
    }

    private static Cbor.Raw raw(int... octets) {
        return new Cbor.Raw(Octets.of(octets));
    }
}
