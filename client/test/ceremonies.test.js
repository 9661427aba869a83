// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { BASE, LISTING, RP_ID, asserted, browser, created, never, problem, settle } from '../fakes/browser.js';
import { addPasskey, autofill, cancel, configure, enroll, signIn, signUp, signal, support } from '../src/porchlight.js';

let authenticator, service, clock;

function start(options) {
  ({ authenticator, service, clock } = browser(options));
  configure({ base: BASE, fetch: service.fetch, report: true, signal: true });
}

beforeEach(() => start());

const paths = () => service.requests.map(({ method, path }) => `${method} ${path}`);
const fails = code => error => assert.equal(error.code, code) ?? true;

describe('sign-up', () => {
  test('requests a token and creates a passkey with it, which signs the user in', async () => {
    const phases = [];
    const result = await signUp({ userId: 'ada', displayName: 'Ada' }, { onPrompt: phase => phases.push(phase) });

    assert.deepEqual(
      paths().filter(path => !path.endsWith('report')),
      [
        'POST /auth/signup',
        'GET /auth/passkey/register/options',
        'POST /auth/passkey/register/finish',
      ],
    );
    assert.deepEqual(service.to('/auth/signup')[0].body, { userId: 'ada', displayName: 'Ada' });
    assert.equal(service.to('/auth/passkey/register/options')[0].headers.authorization, 'Bearer enr_1');
    assert.equal(service.to('/auth/passkey/register/finish')[0].headers.authorization, 'Bearer enr_1');
    assert.deepEqual(phases, ['create']);
    assert.equal(result.userId, 'ada');
    assert.equal(result.token, 'jwt');
    assert.equal(result.expiresAt, 9);
    assert.equal(result.hybrid, false);
  });

  test('an enrollment link uses its token and signs the user in', async () => {
    const result = await enroll('enr_2');

    assert.equal(service.to('/auth/passkey/register/finish')[0].headers.authorization, 'Bearer enr_2');
    assert.equal(result.userId, 'ada');
    assert.equal(authenticator.prompts.length, 1);
  });
});

describe('a passkey without a prompt', () => {
  test('is requested with conditional mediation', async () => {
    const phases = [];
    await addPasskey({ mediation: 'conditional', onPrompt: phase => phases.push(phase) });

    assert.equal(authenticator.prompts[0].mediation, 'conditional');
    assert.equal(service.to('/auth/passkey/register/options')[0].search, '?mediation=conditional');
    assert.deepEqual(phases, []);
  });

  test('is no failure to report if the browser does not create it', async () => {
    authenticator.create = () => Promise.reject(new DOMException('', 'NotAllowedError'));

    await assert.rejects(addPasskey({ mediation: 'conditional' }), { code: 'blocked' });
    await settle();
    assert.deepEqual(service.reports, []);
  });

  test('does not ask for a sign-in', async () => {
    for (const route of ['GET /auth/passkey/register/options', 'POST /auth/passkey/register/finish']) {
      service.requireLoginOnce(route);
      await assert.rejects(addPasskey({ mediation: 'conditional' }), { problem: 'recent_login_required' });
    }
    assert.deepEqual(authenticator.prompts.map(({ phase }) => phase), ['create']);
  });
});

test('a page can change the options and read the results of extensions', async () => {
  const seen = [];
  authenticator.get = () => Object.assign(asserted(), { extensions: { largeBlob: { blob: 'x' } } });
  await signIn({
    onOptions: (options, phase) => seen.push(phase) && (options.extensions = { largeBlob: { read: true } }),
    onVerify: credential => seen.push(credential.getClientExtensionResults()),
  });

  assert.deepEqual(authenticator.prompts[0].publicKey.extensions, { largeBlob: { read: true } });
  assert.deepEqual(seen, ['get', { largeBlob: { blob: 'x' } }]);
});

test('support includes the capabilities that the browser reports', async () => {
  start({ api: { getClientCapabilities: async () => ({ conditionalCreate: true, 'extension:prf': false }) } });
  const supported = await support();

  assert.equal(supported.conditionalCreate, true);
  assert.equal(supported['extension:prf'], false);
  assert.equal(supported.passkeys, true);
});

describe('adding a passkey after an old sign-in', () => {
  test('signs in again, then creates the new passkey', async () => {
    const phases = [];
    service.requireLoginOnce('GET /auth/passkey/register/options');

    const added = await addPasskey({ onPrompt: phase => phases.push(phase) });

    assert.deepEqual(phases, ['get', 'create']);
    assert.equal(service.to('/auth/passkey/login/options')[0].search, '?userId=ada');
    assert.equal(service.to('/auth/passkey/register/finish')[0].headers.authorization, 'Bearer jwt');
    assert.equal(added.token, 'jwt');
  });

  test('sends the new passkey again if the sign-in became too old in the meantime', async () => {
    const phases = [];
    service.requireLoginOnce('POST /auth/passkey/register/finish');

    await addPasskey({ onPrompt: phase => phases.push(phase) });

    assert.deepEqual(phases, ['create', 'get']);
    const [first, second] = service.to('/auth/passkey/register/finish');
    assert.deepEqual(first.body, second.body);
  });

  test('reports the token of the new sign-in even if no passkey is created', async () => {
    const tokens = [];
    service.requireLoginOnce('GET /auth/passkey/register/options');
    authenticator.create = () => Promise.reject(new DOMException('', 'NotAllowedError'));

    await assert.rejects(addPasskey({ token: 'old', onToken: token => tokens.push(token) }), { code: 'blocked' });
    assert.deepEqual(tokens, ['jwt']);
  });
});

describe('sign-in', () => {
  test('a user id is sent in both requests', async () => {
    await signIn({ userId: 'ada & co' });

    assert.equal(service.to('/auth/passkey/login/options')[0].search, '?userId=ada+%26+co');
    assert.equal(service.to('/auth/passkey/login/finish')[0].search, '?userId=ada+%26+co');
  });

  test('the request of an application is sent with the response only, by every sign-in', async () => {
    await signIn({ userId: 'ada', requestId: 'r 1' });
    await signUp({ userId: 'ada' }, { requestId: 'r2' });

    assert.equal(service.to('/auth/passkey/login/options')[0].search, '?userId=ada');
    assert.equal(service.to('/auth/passkey/login/finish')[0].search, '?userId=ada&requestId=r+1');
    assert.equal(service.to('/auth/passkey/register/options')[0].search, '');
    assert.equal(service.to('/auth/passkey/register/finish')[0].search, '?requestId=r2');
  });

  test('without a user id the query is empty', async () => {
    await signIn();

    assert.equal(service.to('/auth/passkey/login/options')[0].search, '');
  });

  test('onVerify is called after the prompt and before the finish request', async () => {
    let requests;
    await signIn({ onVerify: () => (requests = paths()) });

    assert.deepEqual(requests, ['GET /auth/passkey/login/options']);
  });

  test('a passkey of another device is reported as hybrid', async () => {
    authenticator.get = () => Object.assign(asserted(), { authenticatorAttachment: 'cross-platform' });

    assert.equal((await signIn()).hybrid, true);
  });

  test('the hybrid option sets the hint', async () => {
    await signIn({ hybrid: true });

    assert.deepEqual(authenticator.prompts[0].publicKey.hints, ['hybrid']);
  });

  test('requests carry cookies and the trace, and no other header', async () => {
    await signIn();

    const [options] = service.requests;
    assert.equal(options.origin, BASE);
    assert.equal(options.credentials, 'include');
    assert.deepEqual(Object.keys(options.headers), ['traceparent']);
  });
});

describe('immediate mode', () => {
  const able = { getClientCapabilities: async () => ({ immediateGet: true }) };

  test('is used where supported, without the signal it does not accept', async () => {
    start({ api: able });
    await signIn({ immediate: true });

    assert.equal(authenticator.prompts[0].uiMode, 'immediate');
    assert.equal(authenticator.prompts[0].signal, undefined);
  });

  test('falls back to a normal prompt where unsupported, or with a user id', async () => {
    await signIn({ immediate: true });
    assert.equal(authenticator.prompts[0].uiMode, undefined);
    assert.ok(authenticator.prompts[0].signal);

    start({ api: able });
    await signIn({ immediate: true, userId: 'ada' });
    assert.equal(authenticator.prompts[0].uiMode, undefined);
  });

  test('does not sign in after cancel, although the prompt cannot be closed', async () => {
    start({ api: able });
    authenticator.get = async () => {
      cancel();
      return asserted();
    };

    await assert.rejects(signIn({ immediate: true }), fails('aborted'));
    assert.equal(service.to('/auth/passkey/login/finish').length, 0);
  });
});

describe('autofill', () => {
  test('starts a conditional request and opens no prompt', async () => {
    const phases = [];
    const result = await autofill({ onPrompt: phase => phases.push(phase) });

    assert.equal(authenticator.prompts[0].mediation, 'conditional');
    assert.deepEqual(phases, []);
    assert.equal(result.userId, 'ada');
  });

  test('renews its options before they expire, under a new trace', async () => {
    authenticator.get = never;
    const signedIn = autofill();
    await settle();
    clock.advance(200_000);
    await settle();
    assert.equal(authenticator.prompts.length, 1);

    authenticator.get = () => asserted();
    clock.advance(41_000);
    await signedIn;

    const [first, second] = service.to('/auth/passkey/login/options');
    assert.ok(authenticator.prompts[0].signal.aborted);
    assert.notEqual(first.headers.traceparent.slice(3, 35), second.headers.traceparent.slice(3, 35));
    assert.equal(clock.intervals.size, 0);
  });

  test('is not renewed after cancel, even when renewal was due', async () => {
    authenticator.get = never;
    const ended = assert.rejects(autofill(), fails('aborted'));
    await settle();

    clock.advance(241_000);
    cancel();

    await ended;
    assert.equal(authenticator.prompts.length, 1);
  });

  test('pauses renewal while the page is hidden', async () => {
    authenticator.get = never;
    const signedIn = autofill();
    await settle();
    document.hidden = true;
    clock.advance(3_600_000);
    await settle();
    assert.equal(authenticator.prompts.length, 1);

    document.hidden = false;
    authenticator.get = () => asserted();
    clock.advance(1_000);
    await signedIn;
    assert.equal(authenticator.prompts.length, 2);
  });

  test('does not renew while the service verifies the response', async () => {
    service.responses['POST /auth/passkey/login/finish'] = () => {
      clock.advance(299_000);
      return Response.json({ userId: 'ada' });
    };

    assert.equal((await autofill()).userId, 'ada');
  });

  test('restarts when its challenge has expired', async () => {
    service.responses['POST /auth/passkey/login/finish'] = () => {
      clock.advance(301_000);
      service.responses['POST /auth/passkey/login/finish'] = () => Response.json({ userId: 'ada' });
      return problem(401, 'authentication_failed');
    };

    assert.equal((await autofill()).userId, 'ada');
    assert.equal(authenticator.prompts.length, 2);
  });

  test('ends when another ceremony starts, before that one prompts', async () => {
    authenticator.get = ({ mediation }) => (mediation ? never() : asserted());
    const armed = autofill();
    await settle();
    const signedIn = signIn();

    await assert.rejects(armed, fails('aborted'));
    assert.ok(authenticator.prompts[0].signal.aborted);
    assert.equal((await signedIn).userId, 'ada');
    assert.equal(authenticator.prompts.length, 2);
  });

  test('a due renewal does not abort the ceremony that replaced it', async () => {
    authenticator.get = never;
    const armed = autofill();
    await settle();
    clock.advance(250_000); // renewed: the options request is in flight
    authenticator.get = () => asserted();
    const signedIn = signIn();

    await assert.rejects(armed, fails('aborted'));
    assert.equal((await signedIn).userId, 'ada');
  });
});

describe('one ceremony at a time', () => {
  test('a second prompt ends the first', async () => {
    authenticator.get = never;
    const first = signIn();
    await settle();
    authenticator.get = () => asserted();
    const second = signIn();

    await assert.rejects(first, fails('aborted'));
    assert.equal((await second).userId, 'ada');
  });

  test('cancel ends the current one', async () => {
    authenticator.get = never;
    const signedIn = signIn();
    await settle();
    cancel();

    await assert.rejects(signedIn, fails('aborted'));
  });

  test('cancel without a ceremony does nothing', () => cancel());
});

describe('adding a passkey', () => {
  test('returns the credential id and sets the name', async () => {
    const added = await addPasskey({ name: 'Blue key', token: 'jwt' });

    assert.equal(added.credentialId, '-_8B');
    const [rename] = service.to('/auth/passkey/credentials/-_8B');
    assert.equal(rename.method, 'PATCH');
    assert.deepEqual(rename.body, { name: 'Blue key' });
    assert.equal(rename.headers.authorization, 'Bearer jwt');
  });

  test('succeeds even if the name is refused', async () => {
    service.responses['PATCH /auth/passkey/credentials/-_8B'] = () => problem(400, 'malformed_request');

    assert.equal((await addPasskey({ name: 'x'.repeat(999) })).credentialId, '-_8B');
  });
});

describe('options and credentials', () => {
  test('are converted by the module where the browser has no JSON functions', async () => {
    await signUp({ userId: 'ada' });
    await signIn();

    const [creation, request] = authenticator.prompts.map(({ publicKey }) => publicKey);
    assert.deepEqual(creation.challenge, Uint8Array.of(251, 255));
    assert.deepEqual(creation.user.id, Uint8Array.of(1, 2, 3));
    assert.equal(creation.user.name, 'ada');
    assert.deepEqual(creation.excludeCredentials[0].id, Uint8Array.of(1, 2));
    assert.equal(creation.rp.id, RP_ID);
    assert.deepEqual(request.allowCredentials[0], { type: 'public-key', id: Uint8Array.of(1, 2) });
    assert.deepEqual(service.to('/auth/passkey/register/finish')[0].body, {
      id: '-_8B',
      rawId: '-_8B',
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: { transports: ['internal'], clientDataJSON: 'AQ', attestationObject: '-_8' },
    });
    assert.deepEqual(service.to('/auth/passkey/login/finish')[0].body.response, {
      clientDataJSON: 'AQ',
      authenticatorData: 'Ag',
      signature: '----',
      userHandle: 'BAU',
    });
  });

  test("are converted by the browser's own functions where available", async () => {
    const parsed = [];
    const native = name => json => (parsed.push(name), { ...json, native: true });
    start({ api: { parseCreationOptionsFromJSON: native('creation'), parseRequestOptionsFromJSON: native('request') } });
    authenticator.create = () => Object.assign(created(), { toJSON: () => ({ clientExtensionResults: {}, id: 'native' }) });
    authenticator.get = () => Object.assign(asserted(), { toJSON: () => ({ clientExtensionResults: {}, id: 'native' }) });
    await signUp({ userId: 'ada' });
    await signIn();

    assert.deepEqual(parsed, ['creation', 'request']);
    assert.ok(authenticator.prompts.every(({ publicKey }) => publicKey.native));
    assert.equal(service.to('/auth/passkey/register/finish')[0].body.id, 'native');
    assert.equal(service.to('/auth/passkey/login/finish')[0].body.id, 'native');
  });

  test('prf results are not sent', async () => {
    const prf = () => ({ prf: { enabled: true, results: { first: 'secret' } }, credProps: { rk: true } });
    const expected = { prf: { enabled: true }, credProps: { rk: true } };
    authenticator.create = () => Object.assign(created(), { extensions: prf() });
    authenticator.get = () => Object.assign(asserted(), { toJSON: () => ({ clientExtensionResults: prf() }) });
    await signUp({ userId: 'ada' });
    await signIn();

    assert.deepEqual(service.to('/auth/passkey/register/finish')[0].body.clientExtensionResults, expected);
    assert.deepEqual(service.to('/auth/passkey/login/finish')[0].body.clientExtensionResults, expected);
  });
});

describe('passkey managers', () => {
  const signals = [];
  const api = Object.fromEntries(
    ['signalUnknownCredential', 'signalAllAcceptedCredentials', 'signalCurrentUserDetails'].map(name => [
      name,
      async details => void signals.push([name, details]),
    ]),
  );

  beforeEach(() => {
    signals.length = 0;
    start({ api });
  });

  test('receive the signals of a listing', async () => {
    const currentUserDetails = { rpId: RP_ID, userId: 'AQID', name: 'ada', displayName: 'Ada' };

    assert.equal(await signal({ ...LISTING, currentUserDetails }), true);
    assert.deepEqual(signals, [
      ['signalAllAcceptedCredentials', LISTING.allAcceptedCredentials],
      ['signalCurrentUserDetails', currentUserDetails],
    ]);
  });

  test('receive no signal if the listing has none, or the browser cannot signal', async () => {
    assert.equal(await signal({ passkeys: [] }), false);

    start();
    assert.equal(await signal(LISTING), false);
  });

  test('errors of a signal are ignored', async () => {
    start({ api: { signalAllAcceptedCredentials: async () => Promise.reject(new TypeError()) } });

    assert.equal(await signal(LISTING), false);
  });

  test('receive the accepted credentials after a sign-in', async () => {
    await signIn();
    await settle();

    assert.equal(service.to('/auth/passkey/credentials')[0].headers.authorization, 'Bearer jwt');
    assert.deepEqual(signals, [['signalAllAcceptedCredentials', LISTING.allAcceptedCredentials]]);
  });

  test('receive no signal after a sign-in when turned off', async () => {
    configure({ signal: false });
    await signIn();
    await settle();

    assert.deepEqual(service.to('/auth/passkey/credentials'), []);
  });

  test('receive an unknown credential after a refused registration', async () => {
    service.responses['POST /auth/passkey/register/finish'] = () => problem(400, 'origin_mismatch');
    await assert.rejects(addPasskey(), fails('refused'));

    assert.deepEqual(signals, [['signalUnknownCredential', { rpId: RP_ID, credentialId: '-_8B' }]]);
  });

  for (const [status, code] of [[409, 'credential_exists'], [429, 'rate_limited'], [503, 'storage_unavailable']]) {
    test(`keep a passkey that the service may have stored: ${status}`, async () => {
      service.responses['POST /auth/passkey/register/finish'] = () => problem(status, code);
      await assert.rejects(addPasskey());

      assert.deepEqual(signals, []);
    });
  }

  test('keep a passkey when the response is lost', async () => {
    service.responses['POST /auth/passkey/register/finish'] = () => Promise.reject(new TypeError('fetch failed'));
    await assert.rejects(addPasskey(), fails('network'));

    assert.deepEqual(signals, []);
  });
});

describe('support', () => {
  test('reports the client capabilities', async () => {
    start({
      api: {
        getClientCapabilities: async () => ({
          conditionalGet: true,
          hybridTransport: false,
          immediateGet: true,
          userVerifyingPlatformAuthenticator: false,
        }),
        signalAllAcceptedCredentials() {},
      },
    });

    const { secure, passkeys, autofill, hybrid, immediate, signal, platform } = await support();
    assert.deepEqual(
      { secure, passkeys, autofill, hybrid, immediate, signal, platform },
      { secure: true, passkeys: true, autofill: true, hybrid: false, immediate: true, signal: true, platform: false },
    );
  });

  test('uses the older feature checks, and unknown is not unsupported', async () => {
    start({
      api: {
        isConditionalMediationAvailable: async () => true,
        isUserVerifyingPlatformAuthenticatorAvailable: async () => false,
      },
    });
    const { autofill, platform, hybrid, immediate } = await support();

    assert.deepEqual({ autofill, platform, hybrid, immediate }, { autofill: true, platform: false, hybrid: undefined, immediate: undefined });
  });

  test('a browser without passkeys supports nothing', async () => {
    start({ secure: false });
    const { secure, passkeys, signal } = await support();

    assert.deepEqual({ secure, passkeys, signal }, { secure: false, passkeys: false, signal: false });
  });
});
