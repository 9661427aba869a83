// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, beforeEach, describe, test } from 'node:test';
import { BASE, TIMEOUT, browser, never, problem, refusal, settle } from '../fakes/browser.js';
import { PasskeyError, addPasskey, autofill, cancel, configure, signIn, signUp } from '../src/porchlight.js';

const TYPES = readFileSync(new URL('../src/porchlight.d.ts', import.meta.url), 'utf8');
const CODES = [...TYPES.match(/type Code =([^;]*);/)[1].matchAll(/'(\w+)'/g)].map(([, code]) => code);

let authenticator, service, clock;
const seen = new Set();

function start(options) {
  ({ authenticator, service, clock } = browser(options));
  configure({ base: BASE, fetch: service.fetch, report: true });
}

beforeEach(() => start());

/** The error a ceremony ends with, which must be one of the closed set with a sentence. */
async function failure(ceremony) {
  const error = await ceremony.then(assert.fail, error => error);
  assert.ok(error instanceof PasskeyError, error.stack);
  assert.ok(CODES.includes(error.code), error.code);
  assert.match(error.message, /^[A-Z].*\.$/);
  assert.match(error.supportCode, /^[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{3}$/);
  seen.add(error.code);
  return error;
}

/** The code when the browser fails with that error after so long. */
async function browserFails(phase, name, elapsed = 5_000) {
  authenticator[phase] = () => {
    clock.pass(elapsed);
    throw refusal(name);
  };
  const error = await failure(phase === 'get' ? signIn() : addPasskey());
  assert.equal(error.cause.name, name);
  return error.code;
}

describe("the browser's errors", () => {
  test('NotAllowedError at once: the prompt never opened', async () =>
    assert.equal(await browserFails('get', 'NotAllowedError', 999), 'blocked'));

  test('NotAllowedError after a while: cancelled, or none here', async () =>
    assert.equal(await browserFails('get', 'NotAllowedError', 1_000), 'dismissed'));

  test('NotAllowedError just before the timeout', async () =>
    assert.equal(await browserFails('create', 'NotAllowedError', TIMEOUT - 1), 'dismissed'));

  test('NotAllowedError at the timeout', async () =>
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

  test('a page that is not secure', async () => {
    start({ secure: false });

    assert.equal((await failure(signIn())).code, 'insecure');
    assert.deepEqual(authenticator.asked, []);
  });

  test('a browser without passkeys', async () => {
    delete globalThis.PublicKeyCredential;

    assert.equal((await failure(autofill())).code, 'unsupported');
  });

  test('cancelled by the page', async () => {
    authenticator.get = never;
    const signedIn = signIn();
    await settle();
    cancel();

    assert.equal((await failure(signedIn)).code, 'aborted');
  });
});

describe("the service's refusals", () => {
  const refuses = (endpoint, ...answer) => (service.answers[endpoint] = () => problem(...answer));

  test('a passkey that is not accepted, for whatever cause', async () => {
    refuses('POST /auth/passkey/login/finish', 401, 'authentication_failed');
    const error = await failure(signIn());

    assert.equal(error.code, 'refused');
    assert.equal(error.status, 401);
    assert.equal(error.correlationId, 'c-1');
    assert.match(error.message, /may have been removed/);
  });

  test('a registration that is refused, in the words of the service', async () => {
    const more = { error: 'The passkey was not registered', detail: 'the origin is another.' };
    refuses('POST /auth/passkey/register/finish', 400, 'origin_mismatch', more);
    const error = await failure(addPasskey());

    assert.equal(error.code, 'refused');
    assert.equal(error.message, 'The passkey was not registered: the origin is another.');
  });

  test('a caller who is not signed in', async () => {
    refuses('GET /auth/passkey/register/options', 401, 'unauthenticated', { error: 'Sign in first' });
    const error = await failure(addPasskey());

    assert.equal(error.code, 'refused');
    assert.equal(error.message, 'Sign in first.');
  });

  test('an account with as many passkeys as allowed, before the device is asked', async () => {
    const error = 'This account has the maximum number of passkeys. Remove one before you add another';
    refuses('GET /auth/passkey/register/options', 409, 'too_many_credentials', { error });
    authenticator.create = () => assert.fail('the device was asked');
    const refused = await failure(addPasskey());

    assert.equal(refused.code, 'refused');
    assert.equal(refused.message, error + '.');
  });

  test('a sign-in that took longer than its challenge lives', async () => {
    service.answers['POST /auth/passkey/login/finish'] = () => {
      clock.pass(TIMEOUT + 1);
      return problem(401, 'authentication_failed');
    };

    assert.equal((await failure(signIn())).code, 'expired');
  });

  test('a service that fails late has failed, and nothing expired', async () => {
    service.answers['POST /auth/passkey/login/finish'] = () => {
      clock.pass(TIMEOUT + 1);
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
    test(`${status} says when to try again`, async () => {
      refuses('GET /auth/passkey/login/options', status, problemCode, {}, { 'retry-after': '7' });
      const error = await failure(signIn());

      assert.equal(error.code, code);
      assert.equal(error.retryAfter, 7);
    });
  }

  for (const [name, answer] of [
    ['is another program', () => new Response('<html>', { status: 404 })],
    ['stands behind a proxy that answers in its place', () => new Response('<html>', { status: 200 })],
  ]) {
    test(`a service that ${name} is unavailable`, async () => {
      service.answers['GET /auth/passkey/login/options'] = answer;

      assert.equal((await failure(signIn())).code, 'unavailable');
    });
  }

  test('no service at all', async () => {
    configure({ fetch: () => Promise.reject(new TypeError('fetch failed')) });

    assert.equal((await failure(signIn())).code, 'network');
  });
});

describe('the trace', () => {
  const traceOf = ({ headers }) => headers.traceparent.match(/^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/).slice(1);

  test('is one for options, finish and report, with a span each', async () => {
    await signIn();
    const parents = service.requests.map(traceOf);

    assert.equal(parents.length, 3);
    assert.equal(new Set(parents.map(([trace]) => trace)).size, 1);
    assert.equal(new Set(parents.map(([, span]) => span)).size, 3);
  });

  test('is another for the next ceremony', async () => {
    await signIn();
    await signIn();

    assert.equal(new Set(service.requests.map(request => traceOf(request)[0])).size, 2);
  });

  test("gives the support code: its first 25 bits in Crockford's base32", async t => {
    const random = bytes => (bytes.fill(0), bytes.set([0x99, 0x45, 0x7c, 0xff]), bytes);
    t.mock.method(crypto, 'getRandomValues', random);

    // 10011 00101 00010 10111 11001 = 19 5 2 23 25
    assert.equal((await signIn()).supportCode, 'K5-2QS');
  });

  test('that begins with zeros gives them', async t => {
    t.mock.method(crypto, 'getRandomValues', bytes => bytes.fill(0).fill(0x80, 3));

    assert.equal((await signIn()).supportCode, '00-001');
  });
});

describe('the report', () => {
  test('of a ceremony that went well', async () => {
    authenticator.get = options => (clock.pass(1_234), new authenticator.constructor().get(options));
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

  test('of one that did not, with the name of the error', async () => {
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

  test('of one that was cancelled is sent, though its other requests are not', async () => {
    authenticator.get = never;
    const signedIn = signIn();
    await settle();
    cancel();
    await failure(signedIn);

    assert.equal(service.reports[0].outcome, 'aborted');
  });

  test('of a sign-up is one for each of its ceremonies', async () => {
    await signUp({ userId: 'ada' });

    assert.deepEqual(
      service.reports.map(({ ceremony, outcome }) => `${ceremony} ${outcome}`),
      ['registration ok', 'login ok'],
    );
  });

  test('of autofill that nobody used is not sent: nothing happened', async () => {
    authenticator.get = never;
    const armed = autofill();
    await settle();
    cancel();
    await failure(armed);

    assert.deepEqual(service.reports, []);
  });

  test('that cannot be sent is no failure', async () => {
    service.answers['POST /auth/passkey/report'] = () => Promise.reject(new TypeError('fetch failed'));

    assert.equal((await signIn()).userId, 'ada');
    await settle();
  });

  test('is not sent where the page does not want it', async () => {
    configure({ report: false });
    await signIn();

    assert.deepEqual(service.reports, []);
  });
});

after(() => assert.deepEqual([...seen].sort(), [...CODES].sort(), 'every code has a test'));
