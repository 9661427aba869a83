// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.UserRecord;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A user's passkeys as JSON for their browser, with the signal that lets passkey managers delete the others. Immutable. */
public final class PasskeyListing {
    /** The bytes of all icons in a list together. Users may claim any model, and the largest icons have 128 KiB. */
    private static final int MAX_ICON_BYTES = 256 * 1024;

    private final List<CredentialRecord> passkeys;
    private final @Nullable String userHandle;
    private final String rpId;
    private final Authenticators authenticators;

    private PasskeyListing(
            List<CredentialRecord> passkeys, @Nullable String userHandle, String rpId, Authenticators authenticators) {
        this.passkeys = passkeys;
        this.userHandle = userHandle;
        this.rpId = rpId;
        this.authenticators = authenticators;
    }

    /** Reads the user's passkeys. */
    public static PasskeyListing of(PasskeyService service, PasskeyConfig config, String userId) {
        String handle = service.user(userId).map(UserRecord::userHandle).orElse(null);
        return new PasskeyListing(service.passkeys(userId), handle, config.rpId(), service.authenticators());
    }

    /** The passkeys in the list. */
    public List<CredentialRecord> passkeys() {
        return passkeys;
    }

    /** Returns the JSON, with further members of each passkey. */
    public String toJson(BiConsumer<JsonWriter, CredentialRecord> more) {
        var writer = writer(authenticators);
        return JsonWriter.object(json -> {
            json.objects("passkeys", passkeys, (member, passkey) -> {
                writer.accept(member, passkey);
                more.accept(member, passkey);
            });
            if (userHandle != null) {
                var ids = passkeys.stream().map(CredentialRecord::credentialId).toList();
                json.object(
                        "allAcceptedCredentials",
                        signal -> signal.text("rpId", rpId)
                                .text("userId", userHandle)
                                .texts("allAcceptedCredentialIds", ids));
            }
        });
    }

    /**
     * Returns a writer for the passkeys of one list, with the members that their owner may see. It leaves out icons that would make
     * the list too large. Not thread-safe.
     */
    public static BiConsumer<JsonWriter, CredentialRecord> writer(Authenticators authenticators) {
        var room = new AtomicInteger(MAX_ICON_BYTES);
        return (json, passkey) -> write(json, passkey, authenticators, room);
    }

    private static void write(
            JsonWriter json, CredentialRecord passkey, Authenticators authenticators, AtomicInteger room) {
        var details = passkey.details();
        json.text("credentialId", passkey.credentialId())
                .optionalText("name", details.name())
                .optionalText("aaguid", passkey.authenticator().aaguid());
        authenticators
                .find(passkey.aaguid())
                .filter(model -> !model.name().isEmpty())
                .ifPresent(model -> json.object(
                        "authenticator",
                        member -> member.text("name", model.name())
                                .optionalText(
                                        "icon",
                                        model.icon()
                                                .filter(icon -> room.addAndGet(-icon.size()) >= 0)
                                                .map(PasskeyListing::url)
                                                .orElse(null))));
        json.texts("transports", passkey.authenticator().transports())
                .optionalBool("backupEligible", passkey.flags().backupEligible())
                .optionalBool("backedUp", passkey.flags().backedUp())
                .optionalTime("createdAt", details.createdAt())
                .optionalTime("lastUsedAt", details.lastUsedAt());
    }

    private static String url(Bytes png) {
        return "data:image/png;base64," + Base64.getEncoder().encodeToString(png.toByteArray());
    }
}
