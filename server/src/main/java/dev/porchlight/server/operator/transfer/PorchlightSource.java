// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialRecord.Authenticator;
import dev.porchlight.passkey.store.CredentialRecord.Details;
import dev.porchlight.passkey.store.CredentialRecord.Flags;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.people.Claims;
import dev.porchlight.server.people.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads an export. It must be complete, from the header to the trailer. */
public final class PorchlightSource implements ImportSource {
    private static final Set<String> USER = Set.of("user", "handle", "name", "displayName", "profile", "groups");
    private static final Set<String> GROUP = Set.of("group", "claims");
    private static final Set<String> PASSKEY =
            LineMembers.names("passkey user publicKey signCount origin userHandle transports"
                    + " backupEligible backedUp userVerified verificationRequired discoverable aaguid attestationFormat"
                    + " attestationTrust name createdAt lastUsedAt");

    private final JsonLines lines;
    private final PeopleImport people;
    private long users;
    private long passkeys;

    /** Reads from a stream. The profiles and groups of users are imported as {@code ended} allows. */
    public PorchlightSource(InputStream in, EndedEntries ended) {
        this.lines = new JsonLines(in);
        this.people = ended.people();
    }

    @Override
    public void readInto(ImportSink sink) throws IOException, InvalidLineException, ImportConflictException {
        try {
            head(lines.next());
            for (JsonObject line = lines.next(); ; line = lines.next()) {
                if (line == null) {
                    throw new InvalidLineException(lines.place(), "the last line is missing: the file was cut off");
                }
                if (line.names().contains("end")) {
                    end(line);
                    return;
                }
                if (line.names().contains("passkey")) {
                    passkeys++;
                    sink.passkey(readPasskey(line), lines.place());
                } else if (line.names().contains("group")) {
                    readGroup(line);
                } else {
                    users++;
                    readPerson(line);
                    sink.user(readUser(line), lines.place());
                }
            }
        } catch (MalformedException e) {
            throw new InvalidLineException(lines.place(), String.valueOf(e.getMessage()));
        }
    }

    private void head(@Nullable JsonObject line) throws InvalidLineException, MalformedException {
        if (line == null || !Export.FORMAT.equals(line.optionalText("format"))) {
            throw new InvalidLineException("line 1", "not an export of passkeys");
        }
        new LineMembers(line, Set.of("format", "version", "exportedAt"));
        if (!Long.valueOf(Export.VERSION).equals(line.optionalInteger("version"))) {
            throw new InvalidLineException("line 1", "unsupported version");
        }
    }

    private void readGroup(JsonObject line) throws MalformedException {
        LineMembers fields = new LineMembers(line, GROUP);
        JsonObject claims = line.optionalObject("claims");
        people.add(fields.group(line.text("group")), claims == null ? Claims.NONE : Claims.NONE.with(claims));
    }

    private void readPerson(JsonObject line) throws MalformedException {
        LineMembers fields = new LineMembers(line, USER);
        JsonObject profile = line.optionalObject("profile");
        List<String> groups = line.texts("groups");
        for (String group : groups) {
            var unused = fields.group(group);
        }
        people.add(fields.userId("user"), profile == null ? Profile.EMPTY : Profile.read(profile), groups);
    }

    private static UserRecord readUser(JsonObject line) throws MalformedException {
        LineMembers fields = new LineMembers(line, USER);
        return new UserRecord(
                fields.userId("user"),
                fields.handle("handle"),
                fields.optionalText("name"),
                fields.optionalText("displayName"));
    }

    private static CredentialRecord readPasskey(JsonObject line) throws MalformedException {
        LineMembers fields = new LineMembers(line, PASSKEY);
        return new CredentialRecord(
                fields.credentialId("passkey"),
                fields.userId("user"),
                CredentialPublicKey.fromForeignJwk(line.object("publicKey")).toJwk(),
                fields.count("signCount"),
                fields.text("origin"),
                fields.optionalHandle("userHandle"),
                new Flags(
                        fields.flag("backupEligible"),
                        fields.flag("backedUp"),
                        fields.flag("userVerified"),
                        fields.flag("verificationRequired"),
                        fields.flag("discoverable")),
                new Authenticator(
                        fields.transports("transports"),
                        fields.optionalUuid("aaguid"),
                        fields.optionalWord("attestationFormat"),
                        trust(fields.optionalWord("attestationTrust"))),
                new Details(
                        fields.optionalText("name"),
                        fields.optionalTime("createdAt"),
                        fields.optionalTime("lastUsedAt")),
                null);
    }

    /** What another service verified is not verified here. */
    private static @Nullable String trust(@Nullable String exported) {
        return Authenticator.TRUSTED.equals(exported) ? Authenticator.IMPORTED : exported;
    }

    private void end(JsonObject line) throws IOException, InvalidLineException, MalformedException {
        LineMembers fields = new LineMembers(line, Set.of("end", "users", "passkeys"));
        if (fields.count("users") != users || fields.count("passkeys") != passkeys) {
            throw new InvalidLineException(
                    lines.place(), "the numbers do not match: users " + users + ", passkeys " + passkeys);
        }
        if (lines.next() != null) {
            throw new InvalidLineException(lines.place(), "unexpected line after the end");
        }
    }
}
