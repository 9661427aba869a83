// SPDX-License-Identifier: Apache-2.0
// An application that signs users in with the package openid-client. Tests choose the client and its options in the query of
// /login, and misuse codes and tokens with the other paths. Arguments: issuer, port.

import { createServer } from 'node:http';
import * as openid from 'openid-client';

const [issuer, port] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;
const keys = await openid.randomDPoPKeyPair('ES256');

/** The one user of this application: its client, what the callback expects, and its tokens. */
let user;

/** Options that are not parameters of the authorization request. */
const take = (query, name) => {
  const value = query.get(name);
  query.delete(name);
  return value;
};

const authentication = (method, secret) =>
  method === 'key' ? openid.PrivateKeyJwt(keys.privateKey)
    : method === 'none' ? openid.None()
      : method === 'post' ? openid.ClientSecretPost(secret)
        : openid.ClientSecretBasic(secret);

const login = async (url) => {
  const query = url.searchParams;
  const clientId = take(query, 'client_id');
  const method = authentication(take(query, 'authentication'), take(query, 'secret'));
  const metadata = { [openid.clockSkew]: Number(take(query, 'clock_skew')) };
  const config = await openid.discovery(new URL(issuer), clientId, metadata, method, { execute: [openid.allowInsecureRequests] });
  const options = take(query, 'dpop') ? { DPoP: openid.getDPoPHandle(config, keys) } : {};
  const pushed = take(query, 'pushed');
  const keep = take(query, 'keep'); // the code is not redeemed
  const verifier = openid.randomPKCECodeVerifier();
  const expected = { pkceCodeVerifier: verifier, expectedState: openid.randomState(), expectedNonce: openid.randomNonce() };
  const parameters = {
    redirect_uri: `${origin}/callback`,
    scope: 'openid profile groups',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: expected.expectedState,
    nonce: expected.expectedNonce,
    ...Object.fromEntries(query),
  };
  user = { config, options, expected, keep };
  return pushed
    ? await openid.buildAuthorizationUrlWithPAR(config, parameters, options)
    : openid.buildAuthorizationUrl(config, parameters);
};

const redeem = async () => {
  const checks = { ...user.expected, idTokenExpected: true };
  user.tokens = await openid.authorizationCodeGrant(user.config, user.callback, checks, undefined, user.options);
  user.first ??= user.tokens;
  return user.tokens.claims();
};

const refresh = async (token) => {
  user.tokens = await openid.refreshTokenGrant(user.config, token, undefined, user.options);
  return user.tokens.claims();
};

const userinfo = () =>
  openid.fetchUserInfo(user.config, user.tokens.access_token, user.tokens.claims()?.sub ?? openid.skipSubjectCheck, user.options);

const paths = {
  '/': () => ({}),
  '/jwks': async () => ({ keys: [await crypto.subtle.exportKey('jwk', keys.publicKey)] }),
  '/login': login,
  '/callback': (url) => {
    user.callback = url;
    return user.keep ? {} : redeem();
  },
  '/redeem': redeem,
  '/refresh': () => refresh(user.tokens.refresh_token),
  '/refresh-with-first': () => refresh(user.first.refresh_token),
  '/userinfo': userinfo,
  '/revoke': () => openid.tokenRevocation(user.config, user.tokens.refresh_token).then(() => ({})),
  '/logout': () => openid.buildEndSessionUrl(user.config, {
    id_token_hint: user.tokens.id_token,
    post_logout_redirect_uri: `${origin}/`,
  }),
};

/** What the package and the service said about a failed request. */
const failure = (error) => ({
  failed: error.name,
  error: error.error,
  description: error.error_description,
  code: error.cause?.code ?? error.code,
  status: error.status,
});

createServer(async (request, response) => {
  const url = new URL(request.url, origin);
  const path = paths[url.pathname];
  if (!path) return response.writeHead(204).end(); // the browser's request for an icon
  const result = await Promise.resolve().then(() => path(url)).catch(failure);
  if (result instanceof URL) return response.writeHead(303, { location: result.href }).end();
  return response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(result));
}).listen(port, '127.0.0.1');
