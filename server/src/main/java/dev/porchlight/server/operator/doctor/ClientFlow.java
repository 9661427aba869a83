// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.client.ClientSettings.Profile;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Plays the requests of one client, as far as they need no user, and says what its library must be set to. */
final class ClientFlow {
    private final Examination examination;
    private final Client client;
    private final ClientSettings settings;
    private final String change;

    ClientFlow(Examination examination, Client client) {
        this.examination = examination;
        this.client = client;
        this.settings = client.settings();
        this.change = "./porchlight clients change " + client.id();
    }

    /** The address of a path of the running service. */
    static URI address(Examination examination, String path) {
        String origin = examination.config().relyingParty().origin();
        return Objects.requireNonNullElse(examination.url(), URI.create(origin)).resolve(path);
    }

    void run() {
        try {
            checkKeys();
            if (settings.rules().pushedRequests()) {
                examination.ok("the library must push its authorization requests to /oauth2/par (RFC 9126)");
            } else {
                for (String uri : settings.redirectUris()) {
                    checkRequest(uri);
                }
            }
        } catch (IOException e) {
            examination.problem(
                    "the service does not respond: " + ClientCheck.printable(HttpProbe.cause(e)), "./porchlight serve");
        }
        explainAlgorithm();
        explainPkce();
        explainAuthentication();
        if (settings.rules().dpop()) {
            examination.ok("the library must bind its tokens to a key with DPoP (RFC 9449)");
        }
    }

    /** Whether the published keys have one for the client's ID tokens. */
    private void checkKeys() throws IOException {
        URI address = address(examination, "/.well-known/jwks.json");
        String algorithm = settings.idTokenAlgorithm();
        String type = algorithm.startsWith("RS") ? "RSA" : "EC";
        boolean found = false;
        try {
            HttpResponse<String> response = new HttpProbe(examination.timeout()).get(address);
            for (JsonObject key : JsonObject.parse(response.body(), "keys").objects("keys")) {
                found |= type.equals(key.optionalText("kty"));
            }
        } catch (MalformedException e) {
            found = false; // reported as a missing key
        }
        examination.expect(
                found,
                "the key set " + address + " has a key for " + algorithm,
                "the key set " + address + " has no key for " + algorithm + ": the library refuses every ID token",
                "./porchlight serve   # with the same DATABASE_URL and DATA_DIR as this command");
    }

    /** Sends the authorization request of the library. It is not completed, so nothing is stored. */
    private void checkRequest(String redirectUri) throws IOException {
        String query = "?response_type=code&scope=openid&client_id=" + client.id() + "&redirect_uri="
                + URLEncoder.encode(redirectUri, StandardCharsets.UTF_8) + "&state=doctor&code_challenge="
                + "A".repeat(43) + "&code_challenge_method=S256";
        HttpResponse<String> response =
                new HttpProbe(examination.timeout()).get(address(examination, "/oauth2/authorize" + query));
        String location = response.headers().firstValue("Location").orElse("");
        examination.expect(
                location.startsWith("/?request="),
                "a sign-in leads to the sign-in page and back to " + redirectUri
                        + ", which the library must send exactly so",
                "a sign-in with the redirect URI " + ClientCheck.printable(redirectUri) + " is refused: "
                        + response.statusCode() + ' ' + ClientCheck.printable(location),
                change + " --redirect-uri https://…   # running instances know it within five seconds");
    }

    private void explainAlgorithm() {
        if (settings.idTokenAlgorithm().equals("RS256") || settings.rules().profile() == Profile.FAPI2) {
            examination.ok("ID tokens are signed with " + settings.idTokenAlgorithm() + ", as libraries expect");
        } else {
            examination.warning(
                    "ID tokens are signed with ES256. Spring Security and others expect RS256, and refuse them with"
                            + " an error such as \"Invalid credentials\". Set ES256 in the library, or: " + change
                            + " --id-token-algorithm RS256");
        }
    }

    private void explainPkce() {
        if (client.needsPkce()) {
            boolean demanded = client.isPublic() || settings.rules().profile() == Profile.FAPI2;
            examination.ok("the library must send PKCE with S256. Spring Boot 3.5 does not by default: use withPkce()."
                    + " If it cannot"
                    + (demanded ? ", it cannot be used" : ": " + change + " --profile basic"));
        } else {
            examination.ok("the library may send PKCE with S256");
        }
    }

    private void explainAuthentication() {
        String methods = String.join(" or ", client.authenticationMethods());
        examination.ok("the library authenticates at /oauth2/token with " + methods);
        if (settings.jwks() != null) {
            examination.ok("its assertions must expire within five minutes");
        }
        if (settings.jwks() != null && !settings.rules().endpointAudience()) {
            examination.ok("the audience of its assertions must be the issuer. Spring Security names the endpoint"
                    + (settings.rules().profile() == Profile.FAPI2 ? "" : ": " + change + " --endpoint-audience"));
        }
    }
}
