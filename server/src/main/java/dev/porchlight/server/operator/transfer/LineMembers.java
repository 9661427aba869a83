// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.InvalidTextException;
import dev.porchlight.passkey.Texts;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.storage.UserGroups;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The members of one line, each validated when read. Not thread-safe. */
final class LineMembers {
    private static final int MAX_HANDLE_BYTES = 64;
    private static final long MAX_COUNT = 0xffff_ffffL;
    private static final int MAX_TRANSPORTS = 16;
    private static final Pattern WORD = Pattern.compile("[a-z0-9_.-]{1,64}");
    /** As lenient as registration: unknown transports are kept. */
    private static final Pattern TRANSPORT = Pattern.compile("[!-~&&[^,]]{1,32}");

    static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final JsonObject line;

    /** Refuses lines with other members than these, because a misspelled member would be lost. */
    LineMembers(JsonObject line, Set<String> names) throws MalformedException {
        this.line = line;
        for (String name : line.names()) {
            if (!names.contains(name)) {
                throw line.malformed(name.length() > 40 ? "a long name" : name, "unknown member");
            }
        }
    }

    /** Parses a space-separated list of names. */
    static Set<String> names(String separated) {
        return Set.of(separated.split(" ", -1));
    }

    String credentialId(String name) throws MalformedException {
        return nonEmpty(name, line.bytes(name, AttestedCredential.MAX_ID_BYTES)).base64Url();
    }

    String handle(String name) throws MalformedException {
        return nonEmpty(name, line.bytes(name, MAX_HANDLE_BYTES)).base64Url();
    }

    @Nullable
    String optionalHandle(String name) throws MalformedException {
        Bytes handle = line.optionalBytes(name, MAX_HANDLE_BYTES);
        return handle == null ? null : nonEmpty(name, handle).base64Url();
    }

    Bytes bytes(String name) throws MalformedException {
        return line.bytes(name, 65_536);
    }

    String text(String name) throws MalformedException {
        return checked(name, line.text(name));
    }

    @Nullable
    String optionalText(String name) throws MalformedException {
        String text = line.optionalText(name);
        return text == null ? null : checked(name, text);
    }

    long count(String name) throws MalformedException {
        Long count = line.optionalInteger(name);
        if (count == null || count < 0 || count > MAX_COUNT) {
            throw line.malformed(name, "must be 0 to 4294967295");
        }
        return count;
    }

    @Nullable
    Boolean flag(String name) throws MalformedException {
        return line.optionalBool(name);
    }

    List<String> transports(String name) throws MalformedException {
        List<String> transports = line.texts(name);
        if (transports.size() > MAX_TRANSPORTS
                || !transports.stream().allMatch(it -> TRANSPORT.matcher(it).matches())) {
            throw line.malformed(name, "must be a list of transports such as usb, nfc, internal and hybrid");
        }
        return transports;
    }

    @Nullable
    String optionalWord(String name) throws MalformedException {
        return matching(name, WORD, "must be a lowercase word");
    }

    @Nullable
    String optionalUuid(String name) throws MalformedException {
        return matching(name, UUID, "must be a lowercase UUID");
    }

    @Nullable
    Instant optionalTime(String name) throws MalformedException {
        String text = line.optionalText(name);
        try {
            return text == null ? null : Instant.parse(text).truncatedTo(ChronoUnit.MILLIS);
        } catch (DateTimeException e) {
            throw line.malformed(name, "must be a time such as 2026-11-15T09:30:00Z");
        }
    }

    String userId(String name) throws MalformedException {
        String userId = line.text(name);
        String fault = UserIds.fault(userId);
        if (fault != null) {
            throw line.malformed(name, fault);
        }
        return userId;
    }

    /** A valid name of a group. */
    String group(String name) throws MalformedException {
        if (!UserGroups.NAME.matcher(name).matches()) {
            throw line.malformed("group", "a group's name has 1 to 64 letters, digits and the characters . _ : @ -");
        }
        return name;
    }

    private @Nullable String matching(String name, Pattern pattern, String otherwise) throws MalformedException {
        String text = line.optionalText(name);
        if (text != null && !pattern.matcher(text).matches()) {
            throw line.malformed(name, otherwise);
        }
        return text;
    }

    private String checked(String name, String text) throws MalformedException {
        try {
            return Texts.require(name, text);
        } catch (InvalidTextException e) {
            throw line.malformed(name, "must have 1 to 256 characters, and no control characters");
        }
    }

    private Bytes nonEmpty(String name, Bytes bytes) throws MalformedException {
        if (bytes.size() == 0) {
            throw line.malformed(name, "empty");
        }
        return bytes;
    }
}
