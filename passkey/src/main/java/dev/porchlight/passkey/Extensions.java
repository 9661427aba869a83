// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.passkey.data.AuthenticatorData;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** The table of extensions: their forms in a configuration. */
    private static final List<Extension.Form> FORMS = Stream.of(
                    List.of(new Extension.Form("credProps", (builder, none) -> {})),
                    Prf.FORMS,
                    LargeBlob.FORMS,
                    CredProtect.FORMS,
                    MinPinLength.FORMS,
                    AppId.FORMS)
            .flatMap(List::stream)
            .toList();

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

        final String value;

        CredentialProtection(String value) {
            this.value = value;
        }
    }

    private final Map<String, Extension> creation;
    private final Map<String, Extension> request;
    private final @Nullable String appId;
    private final boolean verified;

    private Extensions(Builder builder) {
        creation = new TreeMap<>(builder.creation);
        request = new TreeMap<>(builder.request);
        appId = builder.appId;
        verified = builder.verified;
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
            FORMS.stream()
                    .filter(form -> form.matches(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("extension \"" + name + "\" must be one of "
                            + FORMS.stream().map(Extension.Form::pattern).collect(Collectors.joining(", "))))
                    .request()
                    .accept(builder, name.substring(name.indexOf('=') + 1));
        }
        return builder.build();
    }

    void writeCreation(JsonWriter json) {
        json.bool("credProps", true);
        creation.values().forEach(extension -> extension.input().accept(json, List.of()));
    }

    /** Returns the requirement of a registration: browsers refuse to request that protection without user verification. */
    UserVerification verification(UserVerification configured) {
        return verified ? UserVerification.REQUIRED : configured;
    }

    void writeRequest(JsonWriter json, List<CredentialDescriptor> allowed) {
        request.values().forEach(extension -> extension.input().accept(json, allowed));
    }

    /** Returns the outputs of a registration. */
    ExtensionOutputs ofRegistration(AuthenticatorData data, JsonObject unsigned) {
        return new ExtensionOutputs(creation, data, unsigned);
    }

    /** Returns the outputs of a login. */
    ExtensionOutputs ofLogin(AuthenticatorData data, JsonObject unsigned) {
        return new ExtensionOutputs(request, data, unsigned);
    }

    boolean hasRequest() {
        return !request.isEmpty();
    }

    /** The hash that replaces the one of the relying party id for U2F credentials, if the client used the app id. */
    @Nullable
    Bytes appIdHash(JsonObject outputs) {
        return AppId.hash(appId, outputs);
    }

    /** Builds {@link Extensions}. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Extension> creation = new TreeMap<>();
        private final Map<String, Extension> request = new TreeMap<>();
        private final Map<String, Prf.Inputs> ownInputs = new TreeMap<>();
        private Prf.@Nullable Inputs inputs;
        private @Nullable String appId;
        private boolean verified;

        private Builder() {}

        /** Requests a passkey that supports the prf extension. Its results stay in the browser. */
        public Builder prf() {
            return atRegistration(Prf.created(null));
        }

        /** Lets the browser evaluate the prf extension for these inputs, which are not secret; the second may be null. */
        public Builder prf(byte[] first, byte @Nullable [] second) {
            inputs = Prf.Inputs.of(first, second);
            return atRegistration(Prf.created(inputs)).atLogin(Prf.evaluated(inputs, ownInputs));
        }

        /**
         * Lets the browser evaluate the prf extension for other inputs if the user signs in with this passkey. Left out of
         * options that do not allow it, so it also reveals whether the passkey exists: use it for users who are signed in.
         */
        public Builder prf(String credentialId, byte[] first, byte @Nullable [] second) {
            ownInputs.put(credentialId, Prf.Inputs.of(first, second));
            return atLogin(Prf.evaluated(inputs, ownInputs));
        }

        /** Requests a passkey that can store a large blob. */
        public Builder largeBlob(LargeBlobSupport support) {
            return atRegistration(LargeBlob.support(support));
        }

        /** Reads the large blob at login. Replaces a write. */
        public Builder readLargeBlob() {
            return atLogin(LargeBlob.read());
        }

        /** Writes the large blob at a login that allows exactly one passkey, as browsers require. Replaces a read. */
        public Builder writeLargeBlob(byte[] content) {
            return atLogin(LargeBlob.write(content));
        }

        /**
         * Requests a policy of user verification; an enforced one makes browsers refuse other authenticators. With
         * {@code REQUIRED}, the prompt also requires user verification.
         */
        public Builder credentialProtection(CredentialProtection policy, boolean enforced) {
            verified = policy == CredentialProtection.REQUIRED;
            return atRegistration(CredProtect.of(policy, enforced));
        }

        /** Requests the minimum length of the authenticator's PIN. */
        public Builder minPinLength() {
            return atRegistration(MinPinLength.REQUESTED);
        }

        /** Also allows credentials that were registered with U2F under this app id: a URL. */
        public Builder appId(String url) {
            appId = url;
            return atLogin(AppId.allowed(url));
        }

        /** Excludes authenticators with credentials that were registered with U2F under this app id: a URL. */
        public Builder appIdExclude(String url) {
            return atRegistration(AppId.excluded(url));
        }

        Builder atRegistration(Extension extension) {
            creation.put(extension.name(), extension);
            return this;
        }

        Builder atLogin(Extension extension) {
            request.put(extension.name(), extension);
            return this;
        }

        public Extensions build() {
            return new Extensions(this);
        }
    }
}
