// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The extensions to request (WebAuthn section 10), in every ceremony with {@link PasskeyConfig.Builder#extensions}, or in one with
 * {@link PasskeyService#requesting}. Members of the other kind of ceremony are left out of the options. Immutable.
 *
 * <p>{@code credProps} is always requested at registration. {@code payment} is not offered.
 */
public final class Extensions {
    /** No extensions besides credProps. */
    public static final Extensions NONE = builder().build();

    /** The extensions of a configuration without those that have a URL. */
    private static final Map<String, Consumer<Builder>> NAMES = new LinkedHashMap<>();

    /** Whether an authenticator without large blobs may register. */
    public enum LargeBlobSupport {
        REQUIRED,
        PREFERRED
    }

    /** When an authenticator requires user verification (CTAP 2.1, section 12.1). */
    public enum CredentialProtection {
        OPTIONAL("userVerificationOptional"),
        OPTIONAL_WITH_CREDENTIAL_ID_LIST("userVerificationOptionalWithCredentialIDList"),
        REQUIRED("userVerificationRequired");

        private final String value;

        CredentialProtection(String value) {
            this.value = value;
        }

        /** Returns the policy of an authenticator's output, from 1 to 3. */
        static @Nullable CredentialProtection of(@Nullable Long number) {
            return number == null ? null : values()[(int) (number - 1)];
        }
    }

    static {
        NAMES.put("credProps", builder -> {});
        NAMES.put("prf", Builder::prf);
        NAMES.put("largeBlob", builder -> builder.largeBlob(LargeBlobSupport.PREFERRED));
        NAMES.put("largeBlob=required", builder -> builder.largeBlob(LargeBlobSupport.REQUIRED));
        for (CredentialProtection policy : CredentialProtection.values()) {
            NAMES.put("credProtect=" + policy.value, builder -> builder.credentialProtection(policy, false));
        }
        NAMES.put("minPinLength", Builder::minPinLength);
    }

    private final Map<String, Consumer<JsonWriter>> creation;
    private final Map<String, Consumer<JsonWriter>> request;
    private final @Nullable String appId;

    private Extensions(Builder builder) {
        creation = new TreeMap<>(builder.creation);
        request = new TreeMap<>(builder.request);
        appId = builder.appId;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the extensions of a configuration file.
     *
     * @param names such as {@code prf}, {@code largeBlob=required} or {@code appid=https://example.com}
     * @throws IllegalArgumentException if one is unknown, with all names
     */
    public static Extensions of(Collection<String> names) {
        Builder builder = builder();
        for (String name : names) {
            Consumer<Builder> known = NAMES.get(name);
            if (known != null) {
                known.accept(builder);
            } else if (name.startsWith("appid=https://")) {
                builder.appId(name.substring("appid=".length()));
            } else if (name.startsWith("appidExclude=https://")) {
                builder.appIdExclude(name.substring("appidExclude=".length()));
            } else {
                throw new IllegalArgumentException("extension \"" + name + "\" must be one of "
                        + String.join(", ", NAMES.keySet()) + ", appid=https://… and appidExclude=https://…");
            }
        }
        return builder.build();
    }

    void writeCreation(JsonWriter json) {
        json.bool("credProps", true);
        creation.values().forEach(extension -> extension.accept(json));
    }

    void writeRequest(JsonWriter json) {
        request.values().forEach(extension -> extension.accept(json));
    }

    /** Returns whether an output of this extension was requested, at registration or at login. */
    boolean requests(String extension) {
        return creation.containsKey(extension) || request.containsKey(extension);
    }

    boolean hasRequest() {
        return !request.isEmpty();
    }

    /** The hash that replaces the one of the relying party id for U2F credentials, if the client used the app id. */
    @Nullable
    Bytes appIdHash(boolean used) {
        return appId == null || !used ? null : Bytes.ofUtf8(appId).sha256();
    }

    /** Builds {@link Extensions}. Not thread-safe. */
    public static final class Builder {
        private static final int MAX_BLOB_BYTES = 16_384;
        private final Map<String, Consumer<JsonWriter>> creation = new TreeMap<>();
        private final Map<String, Consumer<JsonWriter>> request = new TreeMap<>();
        private @Nullable String appId;

        private Builder() {}

        /** Requests a passkey that supports the prf extension. Its results stay in the browser. */
        public Builder prf() {
            creation.put("prf", json -> json.object("prf", prf -> {}));
            return this;
        }

        /** Lets the browser evaluate the prf extension for these inputs, which are not secret; the second may be null. */
        public Builder prf(byte[] first, byte @Nullable [] second) {
            Bytes one = Bytes.copyOf(first);
            Bytes two = second == null ? null : Bytes.copyOf(second);
            Consumer<JsonWriter> evaluation = json -> json.object(
                    "prf",
                    prf -> prf.object("eval", eval -> {
                        eval.bytes("first", one);
                        if (two != null) {
                            eval.bytes("second", two);
                        }
                    }));
            creation.put("prf", evaluation);
            request.put("prf", evaluation);
            return this;
        }

        /** Requests a passkey that can store a large blob. */
        public Builder largeBlob(LargeBlobSupport support) {
            String value = support == LargeBlobSupport.REQUIRED ? "required" : "preferred";
            creation.put("largeBlob", json -> json.object("largeBlob", blob -> blob.text("support", value)));
            return this;
        }

        /** Reads the large blob at login. Replaces a write. */
        public Builder readLargeBlob() {
            request.put("largeBlob", json -> json.object("largeBlob", blob -> blob.bool("read", true)));
            return this;
        }

        /** Writes the large blob at login, which browsers allow for exactly one allowed credential. Replaces a read. */
        public Builder writeLargeBlob(byte[] content) {
            if (content.length > MAX_BLOB_BYTES) {
                throw new IllegalArgumentException("a large blob may have " + MAX_BLOB_BYTES + " bytes");
            }
            Bytes copy = Bytes.copyOf(content);
            request.put("largeBlob", json -> json.object("largeBlob", blob -> blob.bytes("write", copy)));
            return this;
        }

        /** Requests a policy of user verification; an enforced one makes browsers refuse other authenticators. */
        public Builder credentialProtection(CredentialProtection policy, boolean enforced) {
            creation.put(
                    "credProtect",
                    json -> json.text("credentialProtectionPolicy", policy.value)
                            .bool("enforceCredentialProtectionPolicy", enforced));
            return this;
        }

        /** Requests the minimum length of the authenticator's PIN. */
        public Builder minPinLength() {
            creation.put("minPinLength", json -> json.bool("minPinLength", true));
            return this;
        }

        /** Also allows credentials that were registered with U2F under this app id: a URL. */
        public Builder appId(String url) {
            appId = url;
            request.put("appid", json -> json.text("appid", url));
            return this;
        }

        /** Excludes authenticators with credentials that were registered with U2F under this app id: a URL. */
        public Builder appIdExclude(String url) {
            creation.put("appidExclude", json -> json.text("appidExclude", url));
            return this;
        }

        public Extensions build() {
            return new Extensions(this);
        }
    }
}
