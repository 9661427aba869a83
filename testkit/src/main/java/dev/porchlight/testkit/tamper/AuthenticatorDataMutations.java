// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.AuthenticatorData.ATTESTED;
import static dev.porchlight.testkit.response.AuthenticatorData.BACKED_UP;
import static dev.porchlight.testkit.response.AuthenticatorData.BACKUP_ELIGIBLE;
import static dev.porchlight.testkit.response.AuthenticatorData.EXTENDED;
import static dev.porchlight.testkit.response.AuthenticatorData.USER_PRESENT;
import static dev.porchlight.testkit.response.AuthenticatorData.USER_VERIFIED;
import static dev.porchlight.testkit.response.Seam.AUTHENTICATOR_DATA;
import static dev.porchlight.testkit.response.Seam.AUTHENTICATOR_DATA_OCTETS;
import static dev.porchlight.testkit.response.Seam.ENVELOPE;
import static dev.porchlight.testkit.tamper.CeremonyType.AUTHENTICATION;
import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;

import dev.porchlight.testkit.response.AuthenticatorData;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Mutations of authenticator data before it is signed: hash, flags, counter, lengths. */
final class AuthenticatorDataMutations extends MutationTable {
    private static final int RESERVED = 0x22;

    AuthenticatorDataMutations() {
        relyingParty();
        flags();
        counter();
        extensions();
        lengths();
    }

    private void relyingParty() {
        inBoth("7.1.13", "7.2.15", "T22");
        rpIdHash("rp-id-hash-of-another-party", "is for another relying party", it -> sha256("evil.test"));
        rpIdHash("rp-id-hash-of-a-subdomain", "is for a subdomain", it -> sha256("sub." + it.rpId));
        rpIdHash("rp-id-hash-of-the-origin", "hashes the origin instead", it -> sha256("https://" + it.rpId));
        rpIdHash(
                "rp-id-hash-in-capitals",
                "hashes the id in capitals",
                it -> sha256(it.rpId.toUpperCase(java.util.Locale.ROOT)));
        rpIdHash("rp-id-hash-of-nothing", "hashes an empty string", it -> sha256(""));
        rpIdHash("rp-id-hash-all-zero", "has zeros for the hash", it -> new byte[32]);
        rpIdHash("rp-id-hash-one-bit-off", "has one bit of the hash wrong", it -> Octets.flip(it.rpIdHash, -1, 0));
        in(AUTHENTICATION, "7.2.15", "T39");
        invalid(
                "app-id-unasked",
                "is for a U2F application id that was not requested",
                edit(AUTHENTICATOR_DATA, it -> {
                            it.rpIdHash = sha256("https://" + it.rpId);
                        })
                        .edit(ENVELOPE, it -> it.put("clientExtensionResults", new JsonObject().put("appid", true))));
    }

    private void flags() {
        inBoth("7.1.14", "7.2.16", "T23");
        fields("user-not-present", "lacks user presence", it -> it.clear(USER_PRESENT | USER_VERIFIED));
        fields(
                "user-verified-but-not-present",
                "has user verification without user presence",
                it -> it.clear(USER_PRESENT).set(USER_VERIFIED));
        in(REGISTRATION, "7.1.15", "T24", Precondition.USER_VERIFICATION_REQUIRED);
        fields("user-not-verified", "did not verify the user", it -> it.clear(USER_VERIFIED));
        in(AUTHENTICATION, "7.2.17", "T24", Precondition.USER_VERIFICATION_REQUIRED);
        fields("user-not-verified", "did not verify the user", it -> it.clear(USER_VERIFIED));
        inBoth("7.1.15", "7.2.18", "T36");
        fields(
                "backed-up-but-not-eligible",
                "is backed up without being eligible",
                it -> it.clear(BACKUP_ELIGIBLE).set(BACKED_UP));
        in(AUTHENTICATION, "7.2.18", "T36", Precondition.BACKUP_ELIGIBLE);
        fields(
                "backup-eligibility-lost",
                "is no longer eligible for backup",
                it -> it.clear(BACKUP_ELIGIBLE | BACKED_UP));
        inBoth("7.1.12", "7.2.8", "T34");
        valid("reserved-flags-set", "sets the reserved flags", edit(AUTHENTICATOR_DATA, it -> it.set(RESERVED)));
    }

    private void counter() {
        in(AUTHENTICATION, "7.2.21", "T35", Precondition.COUNTED);
        fields("sign-count-unchanged", "has the same sign count as last time", it -> it.signCount -= 1);
        fields("sign-count-lower", "has a lower sign count than last time", it -> it.signCount -= 2);
        fields("sign-count-zero", "has a zero sign count after counting", it -> it.signCount = 0);
        valid("sign-count-at-its-end", "has the largest possible sign count", edit(AUTHENTICATOR_DATA, it -> {
            it.signCount = 0xffffffffL;
        }));
    }

    private void extensions() {
        inBoth("7.1.12", "7.2.8", "T34");
        fields("extensions-announced-only", "has the extension flag but no extensions", it -> it.set(EXTENDED));
        octets(
                "extensions-unannounced",
                "has extensions without the flag",
                it -> Octets.join(it, Cbor.encode(Cbor.map("credProtect", 2))));
        fields("extensions-not-a-map", "has a list of extensions", it -> {
            it.set(EXTENDED).extensions = List.of("credProtect");
        });
        fields("extensions-unfinished", "has truncated extensions", it -> {
            it.set(EXTENDED).extensions = new Cbor.Raw(Octets.of(0xa1, 0x63, 'u', 'v'));
        });
        invalid(
                "extensions-with-a-tail",
                "has trailing octets after the extensions",
                edit(AUTHENTICATOR_DATA, it -> {
                            it.set(EXTENDED).extensions = Cbor.map("credProtect", 2);
                        })
                        .swap(AUTHENTICATOR_DATA_OCTETS, it -> Octets.join(it, Octets.of(0))));
        valid(
                "extensions-unasked",
                "has the result of an extension that was not requested",
                edit(AUTHENTICATOR_DATA, it -> {
                    it.set(EXTENDED).extensions = Cbor.map("credProtect", 2, "later", Cbor.map("more", List.of(1, 2)));
                }));
    }

    private void lengths() {
        inBoth("7.1.12", "7.2.8", "T34");
        octets("authenticator-data-empty", "is empty", it -> new byte[0]);
        octets("authenticator-data-of-36-octets", "ends inside the sign count", it -> Octets.head(it, 36));
        octets("authenticator-data-with-a-tail", "has a trailing octet", it -> Octets.join(it, Octets.of(0)));
        in(AUTHENTICATION, "7.2.8", "T34");
        fields("attested-data-in-an-assertion", "has attested credential data in an assertion", it -> it.set(ATTESTED));
        octets("attested-data-announced-only", "has the attested data flag but no data", it -> Octets.flip(it, 32, 6));
        in(REGISTRATION, "7.1.12", "T34");
        fields("attested-data-absent", "has no attested credential data", it -> it.clear(ATTESTED));
        octets(
                "attested-data-unannounced",
                "has attested credential data without the flag",
                it -> Octets.flip(it, 32, 6));
        octets("attested-data-announced-only", "has the attested data flag but no data", it -> Octets.head(it, 37));
        octets("attested-data-ends-in-the-id", "ends inside the credential id", it -> Octets.head(it, 37 + 18 + 8));
        octets("attested-data-ends-in-the-key", "ends inside the public key", it -> Octets.head(it, it.length - 8));
        fields("credential-id-empty", "has an empty credential id", it -> it.credentialId = new byte[0]);
        fields("credential-id-claims-1024", "claims a credential id of 1024 octets", it -> it.claimedIdLength = 1024);
        fields(
                "credential-id-claims-65535",
                "claims a credential id of 65535 octets",
                it -> it.claimedIdLength = 65_535);
        fields("credential-id-claims-one-less", "claims one octet less than it has", it -> {
            it.claimedIdLength = it.credentialId.length - 1;
            it.credentialId[it.claimedIdLength] = 0; // the key would start here: a number instead of a map
        });
        fields("credential-id-claims-one-more", "claims one octet more than it has", it -> {
            it.claimedIdLength = it.credentialId.length + 1;
        });
        fields("credential-id-of-1024-octets", "has a credential id of 1024 octets", it -> {
            it.credentialId = Octets.filled(1024, 7);
        });
    }

    private void fields(String name, String description, Consumer<AuthenticatorData> change) {
        invalid(name, description, edit(AUTHENTICATOR_DATA, change));
    }

    private void octets(String name, String description, UnaryOperator<byte[]> change) {
        invalid(name, description, swap(AUTHENTICATOR_DATA_OCTETS, change));
    }

    private interface Hash {
        byte[] of(AuthenticatorData data);
    }

    private void rpIdHash(String name, String description, Hash hash) {
        Seams seams = edit(AUTHENTICATOR_DATA, it -> it.rpIdHash = hash.of(it));
        invalid(name, description, seams);
    }

    private static byte[] sha256(String text) {
        return Octets.sha256(Octets.utf8(text));
    }
}
