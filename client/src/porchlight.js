// SPDX-License-Identifier: Apache-2.0
/**
 * Passkeys in the browser, against a Porchlight service. What each function is for, and its types: porchlight.d.ts.
 *
 * @typedef {import('./porchlight.d.ts').Code} Code
 * @typedef {{ kind: 'login' | 'registration', trace: string, since: number, controller: AbortController, timeout?: number,
 *   rpId?: string, armed?: boolean, stale?: boolean, onPrompt?: Function, onVerify?: Function }} Run one ceremony under way
 */

/** @type {Record<Code, string>} */
const SENTENCES = {
  insecure: 'Passkeys need a secure page: open this one over https.',
  unsupported: 'This browser or security key cannot keep a passkey. Set a PIN on the key, or use your phone.',
  blocked: 'Your browser did not open the passkey window. Press the button to try again.',
  dismissed: 'No passkey was used. Try again, or use your phone.',
  timeout: 'The passkey window closed after a while. Nothing is wrong, start again when ready.',
  aborted: 'This was cancelled.',
  duplicate: 'This device already has a passkey for your account.',
  config: 'This page is set up in a way that blocks passkeys. Ask for help with the support code.',
  authenticator: 'Your passkey manager did not answer. Unlock it, then try again.',
  expired: 'That took a while, please try again.',
  refused:
    'That passkey was not accepted. It may have been removed from your account: ' +
    'use another one, or ask for help with the support code.',
  exists: 'This user has a passkey already: sign in with it, or choose another name.',
  closed: 'New users are not accepted here. Ask for an enrolment link.',
  limited: 'That was too often. Try again in a moment.',
  unavailable: 'The service cannot answer right now. Try again in a moment.',
  network: 'You are offline, or the service cannot be reached.',
};

/** What the browser's errors mean; what NotAllowedError means depends on the time it took. */
const BROWSER_ERRORS = {
  InvalidStateError: 'duplicate',
  SecurityError: 'config',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
};

/** What the service's codes mean; any other is a refusal in the service's own words. */
const PROBLEMS = {
  authentication_failed: 'refused',
  user_exists: 'exists',
  signup_closed: 'closed',
  credential_exists: 'duplicate',
  challenge_not_found: 'expired',
  challenge_expired: 'expired',
  cross_site: 'config',
};

const LOGIN = '/auth/passkey/login/';
const REGISTER = '/auth/passkey/register/';
const CREDENTIALS = '/auth/passkey/credentials';

const settings = { base: new URL(import.meta.url).origin, fetch: (...request) => fetch(...request), report: true };

/** Of the latest ceremony: there is one at a time. */
let running = new AbortController();

const api = () => globalThis.PublicKeyCredential;

export class PasskeyError extends Error {
  constructor(code, { message = SENTENCES[code], ...details } = {}) {
    super(message);
    Object.assign(this, { name: 'PasskeyError', code }, details);
  }
}

export function configure(options) {
  Object.assign(settings, options);
}

export async function support() {
  const can = (await api()?.getClientCapabilities?.().catch(() => {})) ?? {};
  return {
    secure: isSecureContext,
    passkeys: isSecureContext && !!api(),
    autofill: can.conditionalGet ?? (await api()?.isConditionalMediationAvailable?.()),
    hybrid: can.hybridTransport,
    immediate: can.immediateGet,
    signal: !!api()?.signalAllAcceptedCredentials,
    platform:
      can.userVerifyingPlatformAuthenticator ?? (await api()?.isUserVerifyingPlatformAuthenticatorAvailable?.()),
  };
}

export async function signUp(user, options) {
  await ceremony('registration', options, async run => {
    const { token } = await call(run, 'POST', '/auth/signup', user);
    return register(run, token);
  });
  return signIn({ ...options, userId: user.userId });
}

export async function enrol(token, options) {
  await ceremony('registration', options, run => register(run, token));
  return signIn(options);
}

export function addPasskey({ name, token, ...options } = {}) {
  return ceremony('registration', options, async run => {
    const added = await register(run, token);
    if (name) {
      // The passkey is there, whatever becomes of its name.
      await call(run, 'PATCH', `${CREDENTIALS}/${added.credentialId}`, { name }, token).then(signal, () => {});
    }
    return added;
  });
}

export function signIn({ userId, hybrid, immediate, ...options } = {}) {
  return ceremony('login', options, async run => {
    // Browsers refuse immediate mode together with a list of passkeys, which options for a user hold.
    const uiMode = immediate && userId === undefined && (await support()).immediate ? 'immediate' : undefined;
    return login(run, userId, hybrid, uiMode && { uiMode, signal: undefined });
  });
}

export async function autofill({ onVerify } = {}) {
  for (;;) {
    /** @type {Run} */
    let round;
    try {
      return await ceremony('login', { onVerify }, run => {
        round = run;
        run.armed = true;
        return login(run, undefined, false, { mediation: 'conditional' });
      });
    } catch (error) {
      const superseded = running !== round.controller;
      if (superseded || !(round.stale || error.code === 'expired')) throw error;
    }
  }
}

export function cancel() {
  running.abort();
}

export async function signal(listing) {
  let told = false;
  for (const what of ['UnknownCredential', 'AllAcceptedCredentials', 'CurrentUserDetails']) {
    const details = listing?.[what[0].toLowerCase() + what.slice(1)];
    if (details && api()?.['signal' + what]) {
      await api()['signal' + what](details).then(() => (told = true), () => {});
    }
  }
  return told;
}

/** Runs the steps as the one ceremony under way: a trace of its own, one kind of error, one report. */
async function ceremony(kind, { onPrompt, onVerify } = {}, steps) {
  running.abort();
  running = new AbortController();
  /** @type {Run} */
  const run = { kind, onPrompt, onVerify, controller: running, trace: randomHex(16), since: Date.now() };
  const supportCode = supportCodeOf(run.trace);
  try {
    if (!isSecureContext) throw new PasskeyError('insecure');
    if (!api()) throw new PasskeyError('unsupported');
    const result = await steps(run);
    report(run, 'ok');
    return { ...result, supportCode };
  } catch (fault) {
    const error = Object.assign(explain(run, fault), { supportCode });
    report(run, error.code, error.cause?.name);
    throw error;
  }
}

async function register(run, token) {
  const options = await call(run, 'GET', REGISTER + 'options', undefined, token);
  run.rpId = options.rp.id;
  const credential = await prompt(run, 'create', options);
  try {
    const { credentialId } = await call(run, 'POST', REGISTER + 'finish', toJson(credential), token);
    return { credentialId };
  } catch (refusal) {
    const isOurs = refusal.code === 'duplicate' || refusal.code === 'limited';
    if (refusal.status < 500 && !isOurs) {
      signal({ unknownCredential: { rpId: run.rpId, credentialId: credential.id } });
    }
    throw refusal;
  }
}

async function login(run, userId, hybrid, mode) {
  const query = userId === undefined ? '' : '?userId=' + encodeURIComponent(userId);
  const options = await call(run, 'GET', LOGIN + 'options' + query);
  run.rpId = options.rpId;
  if (hybrid) options.hints = ['hybrid'];
  const credential = await prompt(run, 'get', options, mode);
  const answer = await call(run, 'POST', LOGIN + 'finish' + query, toJson(credential));
  pruneGhosts(run, answer.token);
  const { token, expiresAt } = answer;
  return { userId: answer.userId, token, expiresAt, hybrid: credential.authenticatorAttachment === 'cross-platform' };
}

/** Passkeys that were removed from the account go from this device, too. Nobody waits for it. */
function pruneGhosts(run, token) {
  if (api().signalAllAcceptedCredentials) {
    call(run, 'GET', CREDENTIALS, undefined, token).then(signal, () => {});
  }
}

async function prompt(run, phase, options, mode) {
  const { controller, armed } = run;
  const publicKey = phase === 'get' ? requestOptions(options) : creationOptions(options);
  run.timeout = options.timeout;
  run.since = Date.now();
  if (!armed) run.onPrompt?.(phase);
  const renewal = armed && renewInTime(run);
  try {
    const credential = await navigator.credentials[phase]({ publicKey, signal: controller.signal, ...mode });
    controller.signal.throwIfAborted(); // immediate mode takes no signal
    run.onVerify?.();
    return credential;
  } finally {
    clearInterval(renewal);
  }
}

/** Ends an armed request before its challenge expires, once somebody sees the page. A timeout would sleep with the laptop. */
function renewInTime(run) {
  return setInterval(() => {
    if (Date.now() - run.since > run.timeout * 0.8 && !document.hidden) {
      run.stale = true;
      run.controller.abort();
    }
  }, 1000);
}

async function call(run, method, path, body, token) {
  const response = await send(run, method, path, body, token, { signal: run.controller.signal }).catch(cause => {
    throw new PasskeyError('network', { cause });
  });
  const answer = await response.json().catch(() => {});
  if (response.ok && answer) return answer;
  throw refusal(run, response, answer ?? {});
}

function send(run, method, path, body, token, more) {
  const headers = { traceparent: `00-${run.trace}-${randomHex(8)}-01` };
  if (body) headers['content-type'] = 'application/json';
  if (token) headers.authorization = 'Bearer ' + token;
  const request = { method, headers, body: body && JSON.stringify(body), credentials: 'include', ...more };
  return settings.fetch(settings.base + path, request);
}

function refusal(run, { status, headers }, { code: problem, error, detail, correlationId }) {
  const tooLate = problem === 'authentication_failed' && Date.now() - run.since > run.timeout;
  const refused = problem && status < 500;
  const code = tooLate ? 'expired' : status === 429 ? 'limited' : (PROBLEMS[problem] ?? (refused ? 'refused' : 'unavailable'));
  const message = code === 'refused' && !PROBLEMS[problem] ? [error, detail].filter(Boolean).join(': ') : undefined;
  const retryAfter = Number(headers.get('retry-after')) || undefined;
  return new PasskeyError(code, { message, status, correlationId, retryAfter });
}

/** @returns {PasskeyError} */
function explain({ controller, since, timeout }, cause) {
  if (controller.signal.aborted) return new PasskeyError('aborted', { cause });
  if (cause instanceof PasskeyError) return cause;
  if (cause.name !== 'NotAllowedError') return new PasskeyError(BROWSER_ERRORS[cause.name] ?? 'authenticator', { cause });
  // Browsers do not tell "cancelled" from "none here" or "not allowed"; only time does.
  const elapsed = Date.now() - since;
  return new PasskeyError(elapsed < 1000 ? 'blocked' : elapsed < timeout ? 'dismissed' : 'timeout', { cause });
}

/** Tells the service how it ended in the browser. Nobody waits for it. */
function report(run, outcome, error) {
  if (!settings.report || (run.armed && outcome === 'aborted')) return;
  const { kind: ceremony, since, rpId } = run;
  const body = { ceremony, outcome, elapsedMs: Date.now() - since, error, origin: location.origin, rpId };
  send(run, 'POST', '/auth/passkey/report', body, undefined, { keepalive: true }).catch(() => {});
}

function creationOptions(json) {
  return (
    api().parseCreationOptionsFromJSON?.(json) ?? {
      ...json,
      challenge: bytes(json.challenge),
      user: { ...json.user, id: bytes(json.user.id) },
      excludeCredentials: json.excludeCredentials?.map(withBytes),
    }
  );
}

function requestOptions(json) {
  return (
    api().parseRequestOptionsFromJSON?.(json) ?? {
      ...json,
      challenge: bytes(json.challenge),
      allowCredentials: json.allowCredentials?.map(withBytes),
    }
  );
}

const withBytes = descriptor => ({ ...descriptor, id: bytes(descriptor.id) });

/** What prf derives is for the page alone: it may be a key. */
function toJson(credential) {
  const json = credential.toJSON ? credential.toJSON() : plain(credential);
  delete json.clientExtensionResults.prf?.results;
  return json;
}

function plain(credential) {
  const { id, type, authenticatorAttachment, response } = credential;
  const parts = { transports: response.getTransports?.() };
  for (const part of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (response[part]) parts[part] = base64url(response[part]);
  }
  const clientExtensionResults = { ...credential.getClientExtensionResults() };
  return { id, rawId: id, type, authenticatorAttachment, clientExtensionResults, response: parts };
}

const bytes = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), char => char.charCodeAt(0));

const base64url = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');

const randomHex = length =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), byte => byte.toString(16).padStart(2, '0')).join('');

/** The trace's first 25 bits, as people can read them out: K7-4QX. */
function supportCodeOf(trace) {
  const bits = parseInt(trace.slice(0, 7), 16) >> 3;
  const digit = shift => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[(bits >> shift) & 31];
  return digit(20) + digit(15) + '-' + digit(10) + digit(5) + digit(0);
}
