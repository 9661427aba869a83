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
import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.net.URI;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** A client with the profile fapi2: it pushes its requests, signs assertions instead of sending a secret, and binds its tokens to its key. */
record FapiClient(OpenIdClient client, ECKey key, URI issuer, InstantSource clock) {
    private static final String PUSH = "/oauth2/par";

    /** Registers a client at a service in localhost mode, which needs no admin token. */
    static FapiClient register(Connection connection, URI issuer, InstantSource clock) throws JOSEException {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        String settings = "\"clientId\":\"fapi\",\"profile\":\"fapi2\",\"jwks\":" + new JWKSet(key.toPublicJWK());
        return new FapiClient(OpenIdClient.register(new Web(connection), settings), key, issuer, clock);
    }

    /** A request with an assertion and a proof, each of which may be used once. */
    record Signed(String path, Map<String, String> form, String proof) {
        TestResponse send(Connection connection) {
            return new Web(connection).with("DPoP", proof).postForm(path, form);
        }
    }

    /** Signs in with a session of the service, and returns the tokens. */
    TestResponse signIn(Connection connection, String session) {
        String requestUri =
                push().send(connection).expect(201).json().string("request_uri");
        return redemption(code(connection, session, requestUri))
                .send(connection)
                .expect(200);
    }

    Signed push() {
        return sign(PUSH, client.request());
    }

    /** The code for a pushed request; empty if there is none. */
    String code(Connection connection, String session, String requestUri) {
        Web web = new Web(connection);
        String sealed = client.at(web).begin(Map.of("client_id", client.id(), "request_uri", requestUri));
        return OpenIdClient.response(OpenIdClient.proceed(web.cookie(session), sealed))
                .getOrDefault("code", "");
    }

    Signed redemption(String code) {
        return sign(OpenIdClient.TOKEN, client.redeeming(code));
    }

    TestResponse refresh(Connection connection, String token) {
        return sign(OpenIdClient.TOKEN, OpenIdClient.refreshing(token)).send(connection);
    }

    private Signed sign(String path, Map<String, String> parameters) {
        Date now = Date.from(clock.instant());
        Map<String, String> form = new LinkedHashMap<>(client.identified(parameters));
        form.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        form.put(
                "client_assertion",
                signed(
                        new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()),
                        new JWTClaimsSet.Builder()
                                .issuer(client.id())
                                .subject(client.id())
                                .audience(issuer.toString())
                                .expirationTime(Date.from(clock.instant().plusSeconds(60)))));
        String proof = signed(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(new JOSEObjectType("dpop+jwt"))
                        .jwk(key.toPublicJWK()),
                new JWTClaimsSet.Builder().issueTime(now).claim("htm", "POST").claim("htu", issuer + path));
        return new Signed(path, form, proof);
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
