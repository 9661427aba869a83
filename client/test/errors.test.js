// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, beforeEach, describe, test } from 'node:test';
import { BASE, TIMEOUT, asserted, browser, never, problem, refusal, settle } from '../fakes/browser.js';
import { PasskeyError, addPasskey, autofill, cancel, configure, signIn, signUp } from '../src/porchlight.js';

const TYPES = readFileSync(new URL('../src/porchlight.d.ts', import.meta.url), 'utf8');
const CODES = [...TYPES.match(/type Code =([^;]*);/)[1].matchAll(/'(\w+)'/g)].map(([, code]) => code);

let authenticator, service, clock;
const coveredCodes = new Set();

function start(options) {
  ({ authenticator, service, clock } = browser(options));
  configure({ base: BASE, fetch: service.fetch, report: true });
}

beforeEach(() => start());

/** Returns the error of a ceremony, which must have a known code and a message. */
async function failure(ceremony) {
  const error = await ceremony.then(assert.fail, error => error);
  assert.ok(error instanceof PasskeyError, error.stack);
  assert.ok(CODES.includes(error.code), error.code);
  assert.match(error.message, /^[A-Z].*\.$/);
  assert.match(error.supportCode, /^[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{3}$/);
  coveredCodes.add(error.code);
  return error;
}

/** Returns the error code when the browser fails with that error after `elapsed` milliseconds. */
async function browserFails(phase, name, elapsed = 5_000) {
  authenticator[phase] = () => {
    clock.advance(elapsed);
    throw refusal(name);
  };
  const error = await failure(phase === 'get' ? signIn() : addPasskey());
  assert.equal(error.cause.name, name);
  return error.code;
}

describe('browser errors', () => {
  test('an immediate NotAllowedError is blocked', async () =>
    assert.equal(await browserFails('get', 'NotAllowedError', 999), 'blocked'));

  test('a later NotAllowedError is dismissed', async () =>
    assert.equal(await browserFails('get', 'NotAllowedError', 1_000), 'dismissed'));

  test('a NotAllowedError just before the timeout is dismissed', async () =>
    assert.equal(await browserFails('create', 'NotAllowedError', TIMEOUT - 1), 'dismissed'));

  test('a NotAllowedError at the timeout is timeout', async () =>
    assert.equal(await browserFails('create', 'NotAllowedError', TIMEOUT), 'timeout'));

  for (const [phase, name, code] of [
    ['create', 'InvalidStateError', 'duplicate'],
    ['get', 'SecurityError', 'config'],
    ['create', 'NotSupportedError', 'unsupported'],
    ['create', 'ConstraintError', 'unsupported'],
    ['get', 'NotReadableError', 'authenticator'],
    ['get', 'OperationError', 'authenticator'],
    ['create', 'UnknownError', 'authenticator'],
  ]) {
    test(`${name} is ${code}`, async () => assert.equal(await browserFails(phase, name), code));
  }

  test('a page without a secure context is insecure', async () => {
    start({ secure: false });

    assert.equal((await failure(signIn())).code, 'insecure');
    assert.deepEqual(authenticator.prompts, []);
  });

  test('a browser without passkeys is unsupported', async () => {
    delete globalThis.PublicKeyCredential;

    assert.equal((await failure(autofill())).code, 'unsupported');
  });

  test('cancel is aborted', async () => {
    authenticator.get = never;
    const signedIn = signIn();
    await settle();
    cancel();

    assert.equal((await failure(signedIn)).code, 'aborted');
  });
});

describe('service errors', () => {
  const refuses = (endpoint, ...args) => (service.responses[endpoint] = () => problem(...args));

  test('a refused sign-in is refused', async () => {
    refuses('POST /auth/passkey/login/finish', 401, 'authentication_failed');
    const error = await failure(signIn());

    assert.equal(error.code, 'refused');
    assert.equal(error.status, 401);
    assert.equal(error.correlationId, 'c-1');
    assert.match(error.message, /may have been removed/);
  });

  test("a refused registration carries the service's message", async () => {
    const more = { error: 'The passkey was not registered.', detail: 'the origin is another.' };
    refuses('POST /auth/passkey/register/finish', 400, 'origin_mismatch', more);
    const error = await failure(addPasskey());

    assert.equal(error.code, 'refused');
    assert.equal(error.message, 'The passkey was not registered: the origin is another.');
  });

  test("a request without a sign-in carries the service's message", async () => {
    refuses('GET /auth/passkey/register/options', 401, 'unauthenticated', { error: 'Sign in first.' });
    const error = await failure(addPasskey());

    assert.equal(error.code, 'refused');
    assert.equal(error.message, 'Sign in first.');
  });

  test('too many passkeys are refused before the prompt', async () => {
    const error = 'This account has the maximum number of passkeys. Remove one before you add another.';
    refuses('GET /auth/passkey/register/options', 409, 'too_many_credentials', { error });
    authenticator.create = () => assert.fail('a prompt was opened');
    const refused = await failure(addPasskey());

    assert.equal(refused.code, 'refused');
    assert.equal(refused.message, error);
  });

  test('a sign-in that outlives its challenge is expired', async () => {
    service.responses['POST /auth/passkey/login/finish'] = () => {
      clock.advance(TIMEOUT + 1);
      return problem(401, 'authentication_failed');
    };

    assert.equal((await failure(signIn())).code, 'expired');
  });

  test('a late 503 is unavailable, not expired', async () => {
    service.responses['POST /auth/passkey/login/finish'] = () => {
      clock.advance(TIMEOUT + 1);
      return problem(503, 'storage_unavailable');
    };

    assert.equal((await failure(signIn())).code, 'unavailable');
  });

  for (const [endpoint, status, problemCode, code] of [
    ['POST /auth/signup', 409, 'user_exists', 'exists'],
    ['POST /auth/signup', 403, 'signup_closed', 'closed'],
    ['GET /auth/passkey/register/options', 409, 'user_exists', 'exists'],
    ['POST /auth/passkey/register/finish', 400, 'challenge_expired', 'expired'],
    ['POST /auth/passkey/register/finish', 400, 'challenge_not_found', 'expired'],
    ['POST /auth/passkey/register/finish', 409, 'credential_exists', 'duplicate'],
    ['GET /auth/passkey/register/options', 500, 'internal_error', 'unavailable'],
  ]) {
    test(`${status} ${problemCode} is ${code}`, async () => {
      refuses(endpoint, status, problemCode);

      assert.equal((await failure(signUp({ userId: 'ada' }))).code, code);
    });
  }

  for (const [status, problemCode, code] of [
    [429, 'rate_limited', 'limited'],
    [503, 'storage_unavailable', 'unavailable'],
  ]) {
    test(`${status} carries retryAfter`, async () => {
      refuses('GET /auth/passkey/login/options', status, problemCode, {}, { 'retry-after': '7' });
      const error = await failure(signIn());

      assert.equal(error.code, code);
      assert.equal(error.retryAfter, 7);
    });
  }

  for (const [name, response] of [
    ['is another program', () => new Response('<html>', { status: 404 })],
    ['is replaced by a proxy page', () => new Response('<html>', { status: 200 })],
  ]) {
    test(`a service that ${name} is unavailable`, async () => {
      service.responses['GET /auth/passkey/login/options'] = response;

      assert.equal((await failure(signIn())).code, 'unavailable');
    });
  }

  test('a page at a wrong address learns the right one from its report', async () => {
    const origin = 'https://shop.example';
    refuses('POST /auth/passkey/report', 403, 'cross_site', { origin });
    authenticator.get = () => {
      throw refusal('SecurityError');
    };
    assert.equal((await failure(signIn())).origin, origin);

    authenticator.get = () => asserted();
    refuses('POST /auth/passkey/login/finish', 403, 'cross_site', { origin });
    const refused = await failure(signIn());
    assert.equal(refused.code, 'config');
    assert.equal(refused.origin, origin);
  });

  test('a failed request is network', async () => {
    configure({ fetch: () => Promise.reject(new TypeError('fetch failed')) });

    assert.equal((await failure(signIn())).code, 'network');
  });
});

describe('the trace', () => {
  const traceOf = ({ headers }) => headers.traceparent.match(/^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/).slice(1);

  test('is shared by options, finish and report, each with its own span', async () => {
    await signIn();
    const parents = service.requests.map(traceOf);

    assert.equal(parents.length, 3);
    assert.equal(new Set(parents.map(([trace]) => trace)).size, 1);
    assert.equal(new Set(parents.map(([, span]) => span)).size, 3);
  });

  test('is new for each ceremony', async () => {
    await signIn();
    await signIn();

    assert.equal(new Set(service.requests.map(request => traceOf(request)[0])).size, 2);
  });

  test("its first 25 bits in Crockford's base32 are the support code", async t => {
    const random = bytes => (bytes.fill(0), bytes.set([0x99, 0x45, 0x7c, 0xff]), bytes);
    t.mock.method(crypto, 'getRandomValues', random);

    // 10011 00101 00010 10111 11001 = 19 5 2 23 25
    assert.equal((await signIn()).supportCode, 'K5-2QS');
  });

  test('leading zeros stay in the support code', async t => {
    t.mock.method(crypto, 'getRandomValues', bytes => bytes.fill(0).fill(0x80, 3));

    assert.equal((await signIn()).supportCode, '00-001');
  });
});

describe('the report', () => {
  test('is sent after a successful ceremony', async () => {
    authenticator.get = options => (clock.advance(1_234), new authenticator.constructor().get(options));
    await signIn();

    assert.deepEqual(service.reports, [
      {
        ceremony: 'login',
        outcome: 'ok',
        elapsedMs: 1234,
        origin: 'https://app.example.com',
        rpId: 'example.com',
        challenge: '-_8',
      },
    ]);
    assert.equal(service.to('/auth/passkey/report')[0].keepalive, true);
  });

  test('has the code of a refused request', async () => {
    service.responses['GET /auth/passkey/login/options'] = () => Response.json({ error: 'Invalid.', code: 'invalid_user_id' }, { status: 400 });
    await assert.rejects(signIn());

    assert.equal(service.reports[0].outcome, 'refused');
    assert.equal(service.reports[0].error, 'invalid_user_id');
  });

  test('is sent after a failure, with the name of the error', async () => {
    await browserFails('create', 'SecurityError', 20);

    assert.deepEqual(service.reports, [
      {
        ceremony: 'registration',
        outcome: 'config',
        elapsedMs: 20,
        error: 'SecurityError',
        origin: 'https://app.example.com',
        rpId: 'example.com',
        challenge: '-_8',
        userId: 'ada',
      },
    ]);
  });

  test('is sent after cancel, although other requests are aborted', async () => {
    authenticator.get = never;
    const signedIn = signIn();
    await settle();
    cancel();
    await failure(signedIn);

    assert.equal(service.reports[0].outcome, 'aborted');
  });

  test('is sent once per sign-up', async () => {
    await signUp({ userId: 'ada' });

    assert.deepEqual(
      service.reports.map(({ ceremony, outcome }) => `${ceremony} ${outcome}`),
      ['registration ok'],
    );
  });

  test('is not sent for unused autofill', async () => {
    authenticator.get = never;
    const armed = autofill();
    await settle();
    cancel();
    await failure(armed);

    authenticator.get = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    await failure(autofill());
    assert.deepEqual(service.reports, []);
    assert.match(service.to('/auth/passkey/login/options')[0].search, /mediation=conditional/);
  });

  test('is sent for autofill that was used', async () => {
    service.responses['POST /auth/passkey/login/finish'] = () => problem(401, 'authentication_failed');
    await failure(autofill());

    assert.equal(service.reports[0].outcome, 'refused');
  });

  test('is not sent for autofill that fails before it is used', async () => {
    authenticator.get = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    assert.equal((await failure(autofill())).code, 'blocked');

    assert.deepEqual(service.reports, []);
  });

  test('is sent for autofill that is used', async () => {
    service.responses['POST /auth/passkey/login/finish'] = () => problem(401, 'authentication_failed');
    await failure(autofill());

    assert.equal(service.reports[0].outcome, 'refused');
  });

  test('errors of the report are ignored', async () => {
    service.responses['POST /auth/passkey/report'] = () => Promise.reject(new TypeError('fetch failed'));

    assert.equal((await signIn()).userId, 'ada');
    await settle();
  });

  test('is not sent when turned off', async () => {
    configure({ report: false });
    await signIn();

    assert.deepEqual(service.reports, []);
  });
});

after(() => assert.deepEqual([...coveredCodes].sort(), [...CODES].sort(), 'every code has a test'));
