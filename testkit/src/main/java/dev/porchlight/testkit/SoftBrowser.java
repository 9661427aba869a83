// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.response.ClientData;
import dev.porchlight.testkit.response.Credential;
import dev.porchlight.testkit.response.Seam;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A software browser: implements {@code navigator.credentials} for a page, with a {@link SoftAuthenticator}.
 *
 * <p>Options and responses are the JSON of {@code parseCreationOptionsFromJSON}, {@code parseRequestOptionsFromJSON} and
 * {@code toJSON}. Calls that a browser would refuse throw a {@link DomException}. With a {@link Mutation}, one part of the
 * response is changed. Thread-safe.
 */
public final class SoftBrowser {
    private final Origin origin;
    private final @Nullable String topOrigin;
    private final SoftAuthenticator authenticator;
    private final Function<String, String> wellKnown;
    private volatile @Nullable String account;
    private @Nullable String earlierChallenge;
    private volatile List<byte[]> prfResults = List.of();

    /** Creates a browser that shows a page of {@code origin}, for example {@code https://example.com}. */
    public SoftBrowser(String origin, SoftAuthenticator authenticator) {
        this(Origin.parse(origin), null, authenticator, rpId -> "{\"origins\":[]}");
    }

    private SoftBrowser(
            Origin origin,
            @Nullable String topOrigin,
            SoftAuthenticator authenticator,
            Function<String, String> wellKnown) {
        this.origin = origin;
        this.topOrigin = topOrigin;
        this.authenticator = authenticator;
        this.wellKnown = wellKnown;
    }

    /**
     * Returns a browser that supports related origins.
     *
     * @param fetch returns the document at {@code https://<rpId>/.well-known/webauthn}
     */
    public SoftBrowser fetching(Function<String, String> fetch) {
        return new SoftBrowser(origin, topOrigin, authenticator, fetch);
    }

    /** Returns a browser that shows the same page in a frame of a page of another origin. */
    public SoftBrowser framedBy(String other) {
        return new SoftBrowser(origin, Origin.parse(other).toString(), authenticator, wellKnown);
    }

    /**
     * Sets the account ({@code user.name}) to choose if several passkeys match; by default the newest is used.
     */
    public SoftBrowser picks(String userName) {
        account = userName;
        return this;
    }

    public SoftAuthenticator authenticator() {
        return authenticator;
    }

    /**
     * The results of the prf extension in the last ceremony: none, one or two. They are not in the response, because they are
     * secrets: a page must remove them from {@code toJSON()} before it sends it.
     */
    public List<byte[]> prfResults() {
        return prfResults;
    }

    /** {@code navigator.credentials.create()}. */
    public String create(String creationOptions) {
        return create(creationOptions, Mediation.OPTIONAL);
    }

    public String create(String creationOptions, Mediation mediation) {
        return create(creationOptions, mediation, null);
    }

    /**
     * Returns a mutated response to the options. The passkey is kept only if the mutation is valid.
     */
    public String create(String creationOptions, Mutation mutation) {
        return create(creationOptions, Mediation.OPTIONAL, mutation);
    }

    /** {@code navigator.credentials.get()}. */
    public String get(String requestOptions) {
        return get(requestOptions, Mediation.OPTIONAL);
    }

    public String get(String requestOptions, Mediation mediation) {
        return get(requestOptions, mediation, null);
    }

    /** Returns a mutated response to the options, if necessary with a passkey that the options do not allow. */
    public String get(String requestOptions, Mutation mutation) {
        return get(requestOptions, Mediation.OPTIONAL, mutation);
    }

    private String create(String creationOptions, Mediation mediation, @Nullable Mutation mutation) {
        Seams seams = mutation == null ? Seams.UNCHANGED : mutation.seams();
        CreationOptions options = CreationOptions.parse(creationOptions);
        String rpId = origin.rpId(options.rpId(origin.host()), wellKnown);
        options.check(authenticator, rpId);
        Extensions extensions = options.extensions(authenticator);
        byte[] clientData = collect("webauthn.create", options.challenge(), seams);

        var request = new SoftAuthenticator.MakeRequest(
                rpId,
                options.userHandle(),
                options.userName(),
                options.discoverable(),
                options.algorithms(),
                options.attest(),
                extensions.userVerification(options.userVerification()),
                mediation,
                extensions.signed());
        var created = authenticator.make(request, clientData, seams);
        if (mutation == null || mutation.valid()) {
            authenticator.keep(created.credential());
        }
        Credential credential = created.credential();
        JsonObject response = new JsonObject()
                .put("clientDataJSON", Octets.base64Url(clientData))
                .put("attestationObject", created.attestationObject())
                .put("authenticatorData", created.authenticatorData())
                .put("transports", authenticator.transports())
                .put("publicKeyAlgorithm", (long) credential.key().algorithm().cose())
                .put("publicKey", Octets.base64Url(credential.key().publicKey().getEncoded()));
        prfResults = extensions.results(credential);
        return seal(credential, response, extensions.created(credential), seams);
    }

    private String get(String requestOptions, Mediation mediation, @Nullable Mutation mutation) {
        Seams seams = mutation == null ? Seams.UNCHANGED : mutation.seams();
        JsonObject options = JsonObject.parse(requestOptions);
        String rpId = origin.rpId(options.string("rpId", origin.host()), wellKnown);
        Extensions extensions = new Extensions(options, authenticator);
        String verification = extensions.userVerification(options.string("userVerification", "preferred"));
        if (verification.equals("required") && !authenticator.canVerifyUser()) {
            throw new DomException("NotAllowedError", "the authenticator cannot verify its user");
        }
        extensions.checkRequest(allowed(options));
        Credential chosen = choose(options, rpId, mediation, mutation != null);
        byte[] clientData = collect("webauthn.get", options.octets("challenge"), seams);

        var asserted = authenticator.use(chosen, verification, clientData, seams);
        JsonObject response = new JsonObject()
                .put("clientDataJSON", Octets.base64Url(clientData))
                .put("authenticatorData", asserted.authenticatorData())
                .put("signature", asserted.signature());
        if (asserted.credential().userHandle() != null) {
            response.put("userHandle", asserted.credential().userHandle());
        }
        prfResults = extensions.results(asserted.credential());
        return seal(asserted.credential(), response, extensions.asserted(asserted.credential()), seams);
    }

    private Credential choose(JsonObject options, String rpId, Mediation mediation, boolean anyPasskey) {
        List<String> allowed = allowed(options);
        boolean mustBeDiscoverable = allowed.isEmpty() || mediation == Mediation.CONDITIONAL;
        List<Credential> held = authenticator.held(rpId);
        List<Credential> fitting = held.stream()
                .filter(it -> allowed.isEmpty() || allowed.contains(it.id()))
                .filter(it -> it.discoverable() || !mustBeDiscoverable)
                .toList();
        List<Credential> candidates = fitting.isEmpty() && anyPasskey ? held : fitting;
        return candidates.stream()
                .filter(it -> account == null || it.userName().equals(account))
                .findFirst()
                .or(() -> anyPasskey ? held.stream().findFirst() : Optional.empty())
                .orElseThrow(() -> new DomException("NotAllowedError", "no matching passkey"));
    }

    private static List<String> allowed(JsonObject options) {
        return options.objects("allowCredentials").stream()
                .map(it -> it.string("id"))
                .toList();
    }

    /** Collects the client data and remembers the challenge for a later mutation. */
    private synchronized byte[] collect(String type, byte[] challenge, Seams seams) {
        ClientData data = new ClientData(type, challenge, origin.toString(), topOrigin, earlierChallenge);
        earlierChallenge = Octets.base64Url(challenge);
        byte[] octets = seams.pass(Seam.CLIENT_DATA, data).octets();
        return seams.pass(Seam.CLIENT_DATA_OCTETS, octets);
    }

    private String seal(Credential credential, JsonObject response, JsonObject extensions, Seams seams) {
        JsonObject envelope = new JsonObject()
                .put("id", credential.id())
                .put("rawId", credential.id())
                .put("response", response)
                .put("authenticatorAttachment", authenticator.attachment())
                .put("clientExtensionResults", extensions)
                .put("type", "public-key");
        return seams.pass(Seam.TEXT, seams.pass(Seam.ENVELOPE, envelope).toString());
    }
}
