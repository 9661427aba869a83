// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.ClientAuthenticator.Claim;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import java.io.IOException;

/** The endpoints that clients call themselves. A handler gets the client that was authenticated. Thread-safe. */
public final class ClientEndpoints {
    private final OpenIdSwitch openId;
    private final ClientAuthenticator authenticator;
    private final ClientCors cors;
    private final OpenIdTelemetry telemetry;

    public ClientEndpoints(
            OpenIdSwitch openId, ClientAuthenticator authenticator, ClientCors cors, OpenIdTelemetry telemetry) {
        this.openId = openId;
        this.authenticator = authenticator;
        this.cors = cors;
        this.telemetry = telemetry;
    }

    /** Handles a request of an authenticated client. */
    @FunctionalInterface
    public interface ClientHandler {
        Response handle(Exchange exchange, Client client, Parameters parameters)
                throws RefusedException, ProblemException;
    }

    public void mount(Router.Builder router, String path, Endpoint endpoint, ClientHandler handler) {
        router.post(path, Access.OPENID_CLIENT, exchange -> handle(exchange, endpoint, handler));
        router.add(Method.OPTIONS, path, Access.OPENID_CLIENT, cors::preflight);
    }

    private Response handle(Exchange exchange, Endpoint endpoint, ClientHandler handler)
            throws ProblemException, IOException {
        openId.require();
        String clientId = "";
        boolean authenticated = false;
        try {
            Parameters parameters = Parameters.of(exchange);
            Claim claim = Claim.of(exchange.headers("Authorization"), parameters);
            clientId = claim.clientId();
            parameters.requireSingle();
            Client client = authenticator.authenticate(claim);
            clientId = client.id();
            authenticated = !client.isPublic();
            cors.allow(exchange, client);
            if (!authenticated && endpoint != Endpoint.TOKEN) {
                exchange.unauthenticated(false); // anyone can name a public client
            }
            Response response = handler.handle(exchange, client, parameters);
            telemetry.succeeded(exchange, endpoint, client.id());
            return response.with("Cache-Control", "no-store");
        } catch (RefusedException e) {
            Refusal refusal = e.refusal();
            if (!authenticated) {
                exchange.unauthenticated(true); // guesses are limited by address
            }
            telemetry.refused(exchange, endpoint, clientId, e.userId(), refusal);
            boolean unauthenticated = refusal.reason() == Reason.INVALID_CLIENT;
            Response response = refusal.response(unauthenticated ? 401 : 400);
            return unauthenticated && exchange.header("Authorization") != null
                    ? response.with("WWW-Authenticate", "Basic realm=\"porchlight\"")
                    : response;
        }
    }
}
