// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { BASE, LISTING, RP_ID, asserted, browser, created, never, problem, settle } from '../fakes/browser.js';
import { addPasskey, autofill, cancel, configure, enroll, signIn, signUp, signal, support } from '../src/porchlight.js';

let authenticator, service, clock;

function start(options) {
  ({ authenticator, service, clock } = browser(options));
  configure({ base: BASE, fetch: service.fetch, report: true });
}

beforeEach(() => start());

const paths = () => service.requests.map(({ method, path }) => `${method} ${path}`);
const fails = code => error => assert.equal(error.code, code) ?? true;

describe('signing up', () => {
  test('asks for a token, makes a passkey with it, and signs in with the passkey', async () => {
    const phases = [];
    const result = await signUp({ userId: 'ada', displayName: 'Ada' }, { onPrompt: phase => phases.push(phase) });

    assert.deepEqual(
      paths().filter(path => !path.endsWith('report')),
      [
        'POST /auth/signup',
        'GET /auth/passkey/register/options',
        'POST /auth/passkey/register/finish',
        'GET /auth/passkey/login/options',
        'POST /auth/passkey/login/finish',
      ],
    );
    assert.deepEqual(service.to('/auth/signup')[0].body, { userId: 'ada', displayName: 'Ada' });
    assert.equal(service.to('/auth/passkey/register/options')[0].headers.authorization, 'Bearer enr_1');
    assert.equal(service.to('/auth/passkey/register/finish')[0].headers.authorization, 'Bearer enr_1');
    assert.equal(service.to('/auth/passkey/login/finish')[0].headers.authorization, undefined);
    assert.equal(service.to('/auth/passkey/login/options')[0].search, '?userId=ada');
    assert.deepEqual(phases, ['create', 'get']);
    assert.equal(result.userId, 'ada');
    assert.equal(result.token, 'jwt');
    assert.equal(result.expiresAt, 9);
    assert.equal(result.hybrid, false);
  });

  test('by an enrollment link takes its token, and the passkey tells who it is', async () => {
    await enroll('enr_2');

    assert.equal(service.to('/auth/passkey/register/finish')[0].headers.authorization, 'Bearer enr_2');
    assert.equal(service.to('/auth/passkey/login/options')[0].search, '');
  });
});

describe('adding a passkey after a while', () => {
  /** Refuses the first request, and answers the others as before. */
  const refuseOnce = route => {
    const { [route]: usual } = service.answers;
    service.answers[route] = () => {
      service.answers[route] = usual;
      return problem(403, 'recent_login_required');
    };
  };

  test('asks for a passkey of the user, then makes the new one', async () => {
    const phases = [];
    refuseOnce('GET /auth/passkey/register/options');

    const added = await addPasskey({ onPrompt: phase => phases.push(phase) });

    assert.deepEqual(phases, ['get', 'create']);
    assert.equal(service.to('/auth/passkey/login/options')[0].search, '?userId=ada');
    assert.equal(service.to('/auth/passkey/register/finish')[0].headers.authorization, 'Bearer jwt');
    assert.equal(added.token, 'jwt');
  });

  test('sends the new passkey again if the sign-in became too old meanwhile', async () => {
    const phases = [];
    refuseOnce('POST /auth/passkey/register/finish');

    await addPasskey({ onPrompt: phase => phases.push(phase) });

    assert.deepEqual(phases, ['create', 'get']);
    const [first, second] = service.to('/auth/passkey/register/finish');
    assert.deepEqual(first.body, second.body);
  });
});

describe('signing in', () => {
  test('with a user id asks for that user in both requests', async () => {
    await signIn({ userId: 'ada & co' });

    assert.equal(service.to('/auth/passkey/login/options')[0].search, '?userId=ada%20%26%20co');
    assert.equal(service.to('/auth/passkey/login/finish')[0].search, '?userId=ada%20%26%20co');
  });

  test('without one sends none', async () => {
    await signIn();

    assert.equal(service.to('/auth/passkey/login/options')[0].search, '');
  });

  test('tells when the browser has answered', async () => {
    let requests;
    await signIn({ onVerify: () => (requests = paths()) });

    assert.deepEqual(requests, ['GET /auth/passkey/login/options']);
  });

  test('tells that the passkey was on another device', async () => {
    authenticator.get = () => Object.assign(asserted(), { authenticatorAttachment: 'cross-platform' });

    assert.equal((await signIn()).hybrid, true);
  });

  test('with another device asks the browser for that first', async () => {
    await signIn({ hybrid: true });

    assert.deepEqual(authenticator.asked[0].publicKey.hints, ['hybrid']);
  });

  test('sends cookies, and nothing but cookies and the trace', async () => {
    await signIn();

    const [options] = service.requests;
    assert.equal(options.origin, BASE);
    assert.equal(options.credentials, 'include');
    assert.deepEqual(Object.keys(options.headers), ['traceparent']);
  });
});

describe('immediate mode', () => {
  const able = { getClientCapabilities: async () => ({ immediateGet: true }) };

  test('is asked for where the browser has it, without the signal it does not take', async () => {
    start({ api: able });
    await signIn({ immediate: true });

    assert.equal(authenticator.asked[0].uiMode, 'immediate');
    assert.equal(authenticator.asked[0].signal, undefined);
  });

  test('is a usual prompt where the browser does not have it, or a user is named', async () => {
    await signIn({ immediate: true });
    assert.equal(authenticator.asked[0].uiMode, undefined);
    assert.ok(authenticator.asked[0].signal);

    start({ api: able });
    await signIn({ immediate: true, userId: 'ada' });
    assert.equal(authenticator.asked[0].uiMode, undefined);
  });

  test('that was cancelled signs nobody in, though the browser cannot close its window', async () => {
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
  test('arms a conditional request and opens no prompt', async () => {
    const phases = [];
    const result = await autofill({ onPrompt: phase => phases.push(phase) });

    assert.equal(authenticator.asked[0].mediation, 'conditional');
    assert.deepEqual(phases, []);
    assert.equal(result.userId, 'ada');
  });

  test('renews its options before they expire, with a trace of their own', async () => {
    authenticator.get = never;
    const signedIn = autofill();
    await settle();
    clock.pass(200_000);
    await settle();
    assert.equal(authenticator.asked.length, 1);

    authenticator.get = () => asserted();
    clock.pass(41_000);
    await signedIn;

    const [first, second] = service.to('/auth/passkey/login/options');
    assert.ok(authenticator.asked[0].signal.aborted);
    assert.notEqual(first.headers.traceparent.slice(3, 35), second.headers.traceparent.slice(3, 35));
    assert.equal(clock.intervals.size, 0);
  });

  test('is not renewed once it was cancelled, though it was about to be', async () => {
    authenticator.get = never;
    const ended = assert.rejects(autofill(), fails('aborted'));
    await settle();

    clock.pass(241_000);
    cancel();

    await ended;
    assert.equal(authenticator.asked.length, 1);
  });

  test('does not renew while nobody sees the page, and does when somebody does again', async () => {
    authenticator.get = never;
    const signedIn = autofill();
    await settle();
    document.hidden = true;
    clock.pass(3_600_000);
    await settle();
    assert.equal(authenticator.asked.length, 1);

    document.hidden = false;
    authenticator.get = () => asserted();
    clock.pass(1_000);
    await signedIn;
    assert.equal(authenticator.asked.length, 2);
  });

  test('takes no fresh options while its answer is being checked', async () => {
    service.answers['POST /auth/passkey/login/finish'] = () => {
      clock.pass(299_000);
      return Response.json({ userId: 'ada' });
    };

    assert.equal((await autofill()).userId, 'ada');
  });

  test('arms again by itself when its challenge had expired', async () => {
    service.answers['POST /auth/passkey/login/finish'] = () => {
      clock.pass(301_000);
      service.answers['POST /auth/passkey/login/finish'] = () => Response.json({ userId: 'ada' });
      return problem(401, 'authentication_failed');
    };

    assert.equal((await autofill()).userId, 'ada');
    assert.equal(authenticator.asked.length, 2);
  });

  test('ends when another ceremony starts, before that one asks the browser', async () => {
    authenticator.get = ({ mediation }) => (mediation ? never() : asserted());
    const armed = autofill();
    await settle();
    const signedIn = signIn();

    await assert.rejects(armed, fails('aborted'));
    assert.ok(authenticator.asked[0].signal.aborted);
    assert.equal((await signedIn).userId, 'ada');
    assert.equal(authenticator.asked.length, 2);
  });

  test('that is due for renewal does not end the ceremony that ended it', async () => {
    authenticator.get = never;
    const armed = autofill();
    await settle();
    clock.pass(250_000); // renewed: the request for options is on its way
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

  test('cancel ends the one under way', async () => {
    authenticator.get = never;
    const signedIn = signIn();
    await settle();
    cancel();

    await assert.rejects(signedIn, fails('aborted'));
  });

  test('cancel with nothing under way does nothing', () => cancel());
});

describe('adding a passkey', () => {
  test('answers its id, and names it', async () => {
    const added = await addPasskey({ name: 'Blue key', token: 'jwt' });

    assert.equal(added.credentialId, '-_8B');
    const [renaming] = service.to('/auth/passkey/credentials/-_8B');
    assert.equal(renaming.method, 'PATCH');
    assert.deepEqual(renaming.body, { name: 'Blue key' });
    assert.equal(renaming.headers.authorization, 'Bearer jwt');
  });

  test('succeeds though its name was refused', async () => {
    service.answers['PATCH /auth/passkey/credentials/-_8B'] = () => problem(400, 'malformed_request');

    assert.equal((await addPasskey({ name: 'x'.repeat(999) })).credentialId, '-_8B');
  });
});

describe('what the browser is given and gives back', () => {
  test('is turned into bytes and text by hand where the browser does not do it', async () => {
    await signUp({ userId: 'ada' });

    const [creation, request] = authenticator.asked.map(({ publicKey }) => publicKey);
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

  test("is turned by the browser's own functions where it has them", async () => {
    const parsed = [];
    const native = name => json => (parsed.push(name), { ...json, native: true });
    start({ api: { parseCreationOptionsFromJSON: native('creation'), parseRequestOptionsFromJSON: native('request') } });
    authenticator.create = () => Object.assign(created(), { toJSON: () => ({ clientExtensionResults: {}, id: 'native' }) });
    authenticator.get = () => Object.assign(asserted(), { toJSON: () => ({ clientExtensionResults: {}, id: 'native' }) });
    await signUp({ userId: 'ada' });

    assert.deepEqual(parsed, ['creation', 'request']);
    assert.ok(authenticator.asked.every(({ publicKey }) => publicKey.native));
    assert.equal(service.to('/auth/passkey/register/finish')[0].body.id, 'native');
    assert.equal(service.to('/auth/passkey/login/finish')[0].body.id, 'native');
  });

  test('goes without what prf derived, which may be a key', async () => {
    const prf = () => ({ prf: { enabled: true, results: { first: 'secret' } }, credProps: { rk: true } });
    const left = { prf: { enabled: true }, credProps: { rk: true } };
    authenticator.create = () => Object.assign(created(), { extensions: prf() });
    authenticator.get = () => Object.assign(asserted(), { toJSON: () => ({ clientExtensionResults: prf() }) });
    await signUp({ userId: 'ada' });

    assert.deepEqual(service.to('/auth/passkey/register/finish')[0].body.clientExtensionResults, left);
    assert.deepEqual(service.to('/auth/passkey/login/finish')[0].body.clientExtensionResults, left);
  });
});

describe('passkey managers', () => {
  const told = [];
  const api = Object.fromEntries(
    ['signalUnknownCredential', 'signalAllAcceptedCredentials', 'signalCurrentUserDetails'].map(name => [
      name,
      async details => void told.push([name, details]),
    ]),
  );

  beforeEach(() => {
    told.length = 0;
    start({ api });
  });

  test('are told what a listing says, and nothing else of it', async () => {
    const currentUserDetails = { rpId: RP_ID, userId: 'AQID', name: 'ada', displayName: 'Ada' };

    assert.equal(await signal({ ...LISTING, currentUserDetails }), true);
    assert.deepEqual(told, [
      ['signalAllAcceptedCredentials', LISTING.allAcceptedCredentials],
      ['signalCurrentUserDetails', currentUserDetails],
    ]);
  });

  test('are not told where there is nothing to tell, or no way to', async () => {
    assert.equal(await signal({ credentials: [] }), false);

    start();
    assert.equal(await signal(LISTING), false);
  });

  test('that fail are no failure', async () => {
    start({ api: { signalAllAcceptedCredentials: async () => Promise.reject(new TypeError()) } });

    assert.equal(await signal(LISTING), false);
  });

  test('are told after a sign-in which passkeys the account has', async () => {
    await signIn();
    await settle();

    assert.equal(service.to('/auth/passkey/credentials')[0].headers.authorization, 'Bearer jwt');
    assert.deepEqual(told, [['signalAllAcceptedCredentials', LISTING.allAcceptedCredentials]]);
  });

  test('are told of a passkey the service did not take', async () => {
    service.answers['POST /auth/passkey/register/finish'] = () => problem(400, 'origin_mismatch');
    await assert.rejects(addPasskey(), fails('refused'));

    assert.deepEqual(told, [['signalUnknownCredential', { rpId: RP_ID, credentialId: '-_8B' }]]);
  });

  for (const [status, code] of [[409, 'credential_exists'], [429, 'rate_limited'], [503, 'storage_unavailable']]) {
    test(`keep a passkey that the service may have: ${status}`, async () => {
      service.answers['POST /auth/passkey/register/finish'] = () => problem(status, code);
      await assert.rejects(addPasskey());

      assert.deepEqual(told, []);
    });
  }

  test('keep a passkey when nobody knows whether the service took it', async () => {
    service.answers['POST /auth/passkey/register/finish'] = () => Promise.reject(new TypeError('fetch failed'));
    await assert.rejects(addPasskey(), fails('network'));

    assert.deepEqual(told, []);
  });
});

describe('support', () => {
  test('is what the browser says it can do', async () => {
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

    assert.deepEqual(await support(), {
      secure: true,
      passkeys: true,
      autofill: true,
      hybrid: false,
      immediate: true,
      signal: true,
      platform: false,
    });
  });

  test('is asked for piece by piece where browsers cannot say it at once, and unknown is not unsupported', async () => {
    start({
      api: {
        isConditionalMediationAvailable: async () => true,
        isUserVerifyingPlatformAuthenticatorAvailable: async () => false,
      },
    });
    const { autofill, platform, hybrid, immediate } = await support();

    assert.deepEqual({ autofill, platform, hybrid, immediate }, { autofill: true, platform: false, hybrid: undefined, immediate: undefined });
  });

  test('of a browser without passkeys is none', async () => {
    start({ secure: false });
    const { secure, passkeys, signal } = await support();

    assert.deepEqual({ secure, passkeys, signal }, { secure: false, passkeys: false, signal: false });
  });
});
