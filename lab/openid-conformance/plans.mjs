// SPDX-License-Identifier: Apache-2.0
// Writes the keys of the FAPI clients (`keys`), and a file per plan with the clients as they are registered (`plans`).
import { createHash, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';

const { ISSUER, WORK } = process.env;
const read = (file) => fs.readFileSync(`${WORK}/keys/${file}`, 'utf8');

function writeKeys() {
  for (const name of ['fapi1', 'fapi2']) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' };
    jwk.kid = createHash('sha256').update(jwk.x).digest('base64url').slice(0, 12);
    const { d, ...open } = jwk;
    fs.writeFileSync(`${WORK}/keys/${name}.jwks`, JSON.stringify({ keys: [jwk] }), { mode: 0o600 });
    fs.writeFileSync(`${WORK}/keys/${name}.public.jwks`, JSON.stringify({ keys: [open] }));
  }
}

const withSecret = (id) => ({ client_id: id, client_secret: JSON.parse(read(`${id}.json`)).clientSecret });
const withKey = (name) => ({ client_id: `oidf-${name}`, scope: 'openid profile', jwks: JSON.parse(read(`${name}.jwks`)), dpop_signing_alg: 'ES256' });

function write(name, plan, variant, clients, hooks) {
  const server = { discoveryUrl: `${ISSUER}/.well-known/openid-configuration`, login_hint: 'oidf' };
  const config = { alias: 'porchlight', description: name, server, ...clients };
  fs.writeFileSync(`${WORK}/plans/${name}.json`, JSON.stringify({ plan, variant, config, hooks }, null, 2));
}

function writePlans() {
  const fixed = { client_registration: 'static_client' };
  const discovered = { ...fixed, server_metadata: 'discovery' };
  const basic = { client: withSecret('oidf-basic'), client2: withSecret('oidf-basic2'), client_secret_post: withSecret('oidf-basic') };
  write('config', 'oidcc-config-certification-test-plan', {}, {});
  write('basic', 'oidcc-basic-certification-test-plan', discovered, basic);
  write('formpost', 'oidcc-formpost-basic-certification-test-plan', discovered, basic);
  write('rp-logout', 'oidcc-rp-initiated-logout-certification-test-plan', { ...fixed, response_type: 'code' }, { client: withSecret('oidf-logout') });
  write('backchannel', 'oidcc-backchannel-rp-initiated-logout-certification-test-plan', { ...fixed, response_type: 'code' }, { client: withSecret('oidf-back') });
  const consent = (option) => ['oidf-fapi1', 'oidf-fapi2'].map((id) => ['clients', 'change', id, option]);
  write('fapi2', 'fapi2-security-profile-final-test-plan',
    { client_auth_type: 'private_key_jwt', sender_constrain: 'dpop', openid: 'openid_connect', fapi_profile: 'plain_fapi', authorization_request_type: 'simple' },
    { client: withKey('fapi1'), client2: withKey('fapi2'), resource: { resourceUrl: `${ISSUER}/oauth2/userinfo` } },
    { 'fapi2-security-profile-final-user-rejects-authentication': { before: consent('--third-party'), after: consent('--no-third-party') } });
}

({ keys: writeKeys, plans: writePlans })[process.argv[2]]();
