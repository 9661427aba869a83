// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialRecord.Authenticator;
import dev.porchlight.passkey.store.CredentialRecord.Flags;
import dev.porchlight.passkey.store.PasskeyExport;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.UserGroups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes all users and passkeys as JSON lines: a header, the groups, the users with profile and groups, the passkeys, and a
 * trailer with the numbers of both. Unknown values have no member. Seals and roles are not exported.
 */
public final class Export {
    static final String FORMAT = "porchlight-passkeys";
    static final long VERSION = 1;

    private final Writer out;
    private long users;
    private long passkeys;

    public Export(Writer out) {
        this.out = out;
    }

    /** Writes the export and returns the number of passkeys. */
    public long write(PasskeyExport source, Instant now) throws IOException {
        try {
            line(head -> head.text("format", FORMAT).number("version", VERSION).text("exportedAt", now.toString()));
            source.readPages(this::write, passkey -> {
                write(passkey);
                passkeys++;
            });
            line(end -> end.bool("end", true).number("users", users).number("passkeys", passkeys));
            out.flush();
            return passkeys;
        } catch (UncheckedIOException e) {
            throw new IOException("the export could not be written", e);
        }
    }

    private void write(Connection snapshot, List<UserRecord> page) throws SQLException {
        if (users == 0) {
            for (UserGroups.WithClaims group : UserGroups.withClaims(snapshot)) {
                line(line -> line.text("group", group.group()).optionalJson("claims", group.claims()));
            }
        }
        List<String> ids = page.stream().map(UserRecord::userId).toList();
        Map<String, Profile> profiles = Profiles.of(snapshot, ids);
        Map<String, List<String>> groups = UserGroups.of(snapshot, ids);
        for (UserRecord user : page) {
            Profile profile = profiles.get(user.userId());
            List<String> memberOf = groups.get(user.userId());
            line(line -> {
                line.text("user", user.userId())
                        .text("handle", user.userHandle())
                        .optionalText("name", user.name())
                        .optionalText("displayName", user.displayName());
                if (profile != null) {
                    line.object("profile", profile::write);
                }
                if (memberOf != null) {
                    line.texts("groups", memberOf);
                }
            });
            users++;
        }
    }

    private void write(CredentialRecord passkey) {
        CredentialPublicKey key;
        try {
            key = CredentialPublicKey.fromJwk(passkey.publicKey());
        } catch (MalformedException e) {
            throw new IllegalStateException(
                    "the passkey " + passkey.credentialId() + " of " + passkey.userId()
                            + " has an invalid public key: remove it",
                    e);
        }
        line(line -> {
            line.text("passkey", passkey.credentialId())
                    .text("user", passkey.userId())
                    .optionalJson("publicKey", key.toJwk())
                    .number("signCount", passkey.signCount())
                    .text("origin", passkey.origin())
                    .optionalText("userHandle", passkey.userHandle());
            Authenticator authenticator = passkey.authenticator();
            if (!authenticator.transports().isEmpty()) {
                line.texts("transports", authenticator.transports());
            }
            Flags flags = passkey.flags();
            line.optionalBool("backupEligible", flags.backupEligible())
                    .optionalBool("backedUp", flags.backedUp())
                    .optionalBool("userVerified", flags.userVerified())
                    .optionalBool("verificationRequired", flags.verificationRequired())
                    .optionalBool("discoverable", flags.discoverable())
                    .optionalText("aaguid", authenticator.aaguid())
                    .optionalText("attestationFormat", authenticator.attestationFormat())
                    .optionalText("attestationTrust", authenticator.attestationTrust())
                    .optionalText("name", passkey.details().name())
                    .optionalText("createdAt", text(passkey.details().createdAt()))
                    .optionalText("lastUsedAt", text(passkey.details().lastUsedAt()));
        });
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    private void line(Consumer<JsonWriter> members) {
        try {
            out.write(JsonWriter.object(members));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
