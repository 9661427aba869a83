// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { BASE, LISTING, browser, problem, settle } from '../fakes/browser.js';
import { configure, request } from '../src/porchlight.js';
import { addDevice, cancelRecovery, createRecoveryCodes, passkeys, recover, recovery, remove, rename, session, signOut } from '../src/porchlight/account.js';
import { withTitles } from '../src/porchlight/passkey-names.js';

const PASSKEY = '/auth/passkey/credentials/-_8B';

let authenticator, service, signals;

beforeEach(() => {
  signals = [];
  const signalAllAcceptedCredentials = async details => signals.push(details);
  ({ authenticator, service } = browser({ api: { signalAllAcceptedCredentials } }));
  configure({ base: BASE, fetch: service.fetch, report: true, signal: true });
});

const paths = () => service.requests.map(({ method, path, search }) => `${method} ${path}${search}`);
const refuse = (route, ...refusal) => (service.responses[route] = () => problem(...refusal));

describe('session', () => {
  test('returns the user', async () => assert.deepEqual(await session(), { userId: 'ada' }));

  test('is undefined for a visitor who is not signed in', async () => {
    refuse('GET /auth/session', 401, 'unauthenticated');

    assert.equal(await session(), undefined);
  });

  test('rejects if the service fails', async () => {
    refuse('GET /auth/session', 503, 'storage_unavailable');

    await assert.rejects(session(), { name: 'PasskeyError', code: 'unavailable', status: 503 });
  });

  test('is requested with the cookie and the token, if given', async () => {
    await session({ token: 'jwt' });

    const [{ origin, credentials, headers }] = service.requests;
    assert.deepEqual([origin, credentials, headers.authorization], [BASE, 'include', 'Bearer jwt']);
  });
});

describe('sign-out', () => {
  test('ends the session', async () => {
    assert.equal(await signOut(), undefined);
    assert.deepEqual(paths(), ['POST /auth/logout']);
  });

  test('ends all sessions', async () => {
    await signOut({ everywhere: true });
    assert.deepEqual(paths(), ['POST /auth/logout?everywhere=true']);
  });

  test('succeeds if the session has ended already, unless all sessions were to end', async () => {
    refuse('POST /auth/logout', 401, 'unauthenticated');

    await signOut();
    await assert.rejects(signOut({ everywhere: true }), { status: 401 });
  });
});

describe('passkeys', () => {
  test('are listed and sent to passkey managers', async () => {
    assert.deepEqual(await passkeys(), LISTING.passkeys);
    assert.deepEqual(signals, [LISTING.allAcceptedCredentials]);
  });

  test('are renamed', async () => {
    assert.deepEqual(await rename('-_8B', 'blue key'), LISTING.passkeys);

    assert.deepEqual(paths(), [`PATCH ${PASSKEY}`]);
    assert.deepEqual(service.requests[0].body, { name: 'blue key' });
    assert.equal(service.requests[0].headers['content-type'], 'application/json');
  });

  test('an id cannot change the path of the request', async () => {
    service.responses[`DELETE /auth/passkey/credentials/..%2F..%2Flogout%3F`] = () => problem(404, 'not_found');

    await assert.rejects(remove('../../logout?'), { code: 'refused', problem: 'not_found', status: 404 });
  });
});

describe('removal', () => {
  test('returns the remaining passkeys', async () => {
    assert.deepEqual(await remove('-_8B'), { passkeys: LISTING.passkeys, signaled: true, token: undefined });

    assert.deepEqual(paths(), [`DELETE ${PASSKEY}`]);
    assert.deepEqual(signals, [LISTING.allAcceptedCredentials]);
  });

  test('reports if passkey managers were not notified', async () => {
    delete PublicKeyCredential.signalAllAcceptedCredentials;

    assert.equal((await remove('-_8B')).signaled, false);
  });

  test('asks for the passkey after an old sign-in and continues with the new token', async () => {
    const phases = [];
    service.requireLoginOnce(`DELETE ${PASSKEY}`);

    const removed = await remove('-_8B', { token: 'old', onPrompt: phase => phases.push(phase) });

    assert.deepEqual(phases, ['get']);
    assert.equal(service.to('/auth/passkey/login/options')[0].search, '?userId=ada');
    assert.deepEqual(service.to(PASSKEY).map(({ headers }) => headers.authorization), ['Bearer old', 'Bearer jwt']);
    assert.equal(removed.token, 'jwt');
    assert.deepEqual(service.reports.map(({ ceremony, outcome }) => `${ceremony} ${outcome}`), ['login ok']);
  });

  test('removes nothing if the user does not sign in again', async () => {
    service.requireLoginOnce(`DELETE ${PASSKEY}`);
    authenticator.get = () => Promise.reject(new DOMException('', 'NotAllowedError'));

    await assert.rejects(remove('-_8B'), { code: 'blocked' });
    assert.equal(service.to(PASSKEY).length, 1);
  });

  test('reports the new token even if nothing is removed', async () => {
    const tokens = [];
    service.requireLoginOnce(`DELETE ${PASSKEY}`);
    service.responses['POST /auth/passkey/login/finish'] = () => {
      refuse(`DELETE ${PASSKEY}`, 409, 'last_credential');
      return Response.json({ userId: 'ada', token: 'new' });
    };

    await assert.rejects(remove('-_8B', { token: 'old', onToken: token => tokens.push(token) }), { problem: 'last_credential' });
    assert.deepEqual(tokens, ['new']);
  });

  test('of the last passkey needs force', async () => {
    refuse(`DELETE ${PASSKEY}`, 409, 'last_credential');
    await assert.rejects(remove('-_8B'), { problem: 'last_credential', status: 409 });

    await assert.rejects(remove('-_8B', { force: true }));
    assert.equal(service.to(PASSKEY)[1].search, '?force=true');
  });
});

describe('lost devices', () => {
  test('a link and new codes ask for the passkey first if the sign-in is too old', async () => {
    for (const [route, action, response] of /** @type {any[]} */ ([
      ['POST /auth/passkey/devices', addDevice, { url: 'u', qr: '<svg>', expiresAt: 9 }],
      ['POST /auth/recovery/codes', createRecoveryCodes, { codes: ['A'] }],
    ])) {
      service.responses[route] = ({ headers }) => (headers.authorization === 'Bearer jwt' ? Response.json(response) : problem(403, 'recent_login_required'));

      assert.deepEqual(await action({ token: 'old' }), { ...response, token: 'jwt' });
    }
    assert.deepEqual(authenticator.prompts.map(({ phase }) => phase), ['get', 'get']);
  });

  test('a recovery code yields a token', async () => {
    service.responses['POST /auth/recovery'] = ({ body }) => Response.json({ token: `for ${body.userId} by ${body.code}` });

    assert.deepEqual(await recover('ada', 'A'), { token: 'for ada by A' });
  });

  test('a recovery is shown and canceled', async () => {
    service.responses['GET /auth/recovery'] = () => Response.json({ available: true, remaining: 9 });
    service.responses['DELETE /auth/recovery'] = () => new Response(null, { status: 204 });

    assert.deepEqual(await recovery(), { available: true, remaining: 9 });
    assert.equal(await cancelRecovery(), undefined);
  });
});

describe('another request', () => {
  test('sends JSON and returns JSON', async () => {
    service.responses['POST /own'] = ({ body }) => Response.json({ got: body });

    assert.deepEqual(await request('/own', { body: { a: 1 } }), { got: { a: 1 } });
  });

  test('rejects a page where JSON is expected', async () => {
    service.responses['GET /own'] = () => new Response('<html>');

    await assert.rejects(request('/own'), { code: 'unavailable' });
    await settle();
    assert.deepEqual(service.reports, []);
  });
});

describe('withTitles', () => {
  test('names a passkey after its authenticator if no provider is known', () => {
    const texts = /** @type {any} */ ({ text: key => key });
    const named = (/** @type {any} */ passkey) => withTitles(texts, [{ transports: ['usb'], ...passkey }])[0].title;

    assert.equal(named({ authenticator: { name: 'Soft key' } }), 'Soft key');
    assert.equal(named({ authenticator: { name: 'Soft key' }, name: 'Mine' }), 'Mine');
    assert.equal(named({}), 'account.securityKey');
  });
});
