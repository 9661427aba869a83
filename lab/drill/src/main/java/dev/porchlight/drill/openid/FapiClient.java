// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.drill.scenario.FakeClock;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.Octets;
import java.net.URI;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A client with the profile fapi2: it pushes its requests, signs assertions instead of sending a secret, and binds its tokens to its key. */
record FapiClient(OpenIdClient client, ECKey key, URI issuer, FakeClock clock) {
    private static final String PUSH = "/oauth2/par";

    /** Registers a client at a service in localhost mode, which needs no admin token. */
    static FapiClient register(Connection connection, URI issuer, FakeClock clock) throws JOSEException {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        String settings = "\"clientId\":\"fapi\",\"profile\":\"fapi2\",\"jwks\":" + new JWKSet(key.toPublicJWK());
        return new FapiClient(OpenIdClient.register(new Web(connection), settings), key, issuer, clock);
    }

    /** The same client with another clock. */
    FapiClient on(FakeClock other) {
        return new FapiClient(client, key, issuer, other);
    }

    /** Signs in with a session of the service, and returns the tokens. */
    TestResponse signIn(Connection connection, String session) {
        Web web = new Web(connection);
        String code =
                client.at(web).signIn(web.cookie(session), pushed(connection)).getOrDefault("code", "");
        return post(web, OpenIdClient.TOKEN, client.redeeming(code)).expect(200);
    }

    /** Pushes a request, and returns the request that refers to it. */
    Map<String, String> pushed(Connection connection) {
        TestResponse pushed = post(new Web(connection), PUSH, client.request()).expect(201);
        return Map.of("client_id", client.id(), "request_uri", pushed.field("request_uri"));
    }

    TestResponse refresh(Connection connection, String token) {
        return post(new Web(connection), OpenIdClient.TOKEN, OpenIdClient.refreshing(token));
    }

    private TestResponse post(Web web, String path, Map<String, String> parameters) {
        Map<String, String> form = new LinkedHashMap<>(client.identified(parameters));
        form.putAll(asserted(assertion()));
        return web.with("DPoP", proof("POST", path, null)).postForm(path, form);
    }

    /** The parameters of a request with this assertion. */
    static Map<String, String> asserted(String assertion) {
        return Map.of(
                "client_assertion_type",
                "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion",
                assertion);
    }

    /** A new assertion, which is valid for a minute. */
    String assertion() {
        return signed(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()),
                new JWTClaimsSet.Builder()
                        .issuer(client.id())
                        .subject(client.id())
                        .audience(issuer.toString())
                        .expirationTime(Date.from(clock.now().plusSeconds(60))));
    }

    /** A new DPoP proof for one request; with an access token for one that sends it. */
    String proof(String method, String path, @Nullable String accessToken) {
        var claims = new JWTClaimsSet.Builder()
                .issueTime(Date.from(clock.now()))
                .claim("htm", method)
                .claim("htu", issuer + path);
        if (accessToken != null) {
            claims.claim("ath", Octets.base64Url(Octets.sha256(Octets.utf8(accessToken))));
        }
        return signed(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(new JOSEObjectType("dpop+jwt"))
                        .jwk(key.toPublicJWK()),
                claims);
    }

    private String signed(JWSHeader.Builder header, JWTClaimsSet.Builder claims) {
        try {
            SignedJWT token = new SignedJWT(
                    header.build(), claims.jwtID(UUID.randomUUID().toString()).build());
            token.sign(new ECDSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
