// SPDX-License-Identifier: Apache-2.0
/** Passkeys in the browser; porchlight.d.ts says how. */

const SENTENCES = {
  insecure: 'Passkeys need a secure page: use https.',
  unsupported: 'This device cannot keep a passkey. Set a PIN, or use your phone.',
  blocked: 'Your browser did not open the passkey window. Try again.',
  dismissed: 'No passkey was used. Try again, or use your phone.',
  timeout: 'The passkey window timed out. Try again when ready.',
  aborted: 'This was cancelled.',
  duplicate: 'This device already has a passkey for your account.',
  config: 'This page is set up in a way that blocks passkeys. Ask for help with the support code.',
  authenticator: 'Your passkey manager did not answer. Unlock it, then try again.',
  expired: 'That took too long. Try again.',
  refused:
    'That passkey was not accepted. It may have been removed: use another one, or ask for help with the support code.',
  exists: 'This user has a passkey already: sign in with it.',
  closed: 'New users are not accepted here. Ask for an enrollment link.',
  limited: 'Too many attempts. Try again in a moment.',
  unavailable: 'The service did not answer. Try again in a moment.',
  network: 'You are offline, or the service did not answer.',
};

const MEANINGS = {
  InvalidStateError: 'duplicate',
  SecurityError: 'config',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
  authentication_failed: 'refused',
  user_exists: 'exists',
  signup_closed: 'closed',
  credential_exists: 'duplicate',
  challenge_not_found: 'expired',
  challenge_expired: 'expired',
};

const settings = { base: new URL(import.meta.url).origin, report: true };

let running;

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
  const can = (await api()?.getClientCapabilities?.()) ?? {};
  return {
    secure: isSecureContext,
    passkeys: !!api(),
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
    run.token = (await call(run, '/auth/signup', user)).token;
    return register(run);
  });
  return signIn({ ...options, userId: user.userId });
}

export async function enroll(token, options) {
  await ceremony('registration', { ...options, token }, register);
  return signIn(options);
}

export { enroll as enrol };

export function addPasskey(options) {
  return ceremony('registration', options, async run => {
    const added = await register(run);
    const path = '/auth/passkey/credentials/' + added.credentialId;
    if (run.name) await call(run, path, { name: run.name }, { method: 'PATCH' }).then(signal, () => {});
    return { ...added, token: run.renewed };
  });
}

export function signIn(options) {
  return ceremony('login', options, async run => {
    // takes no list and no signal
    const immediate = run.immediate && !run.userId && (await support()).immediate;
    return login(run, immediate && { uiMode: 'immediate', signal: undefined });
  });
}

export async function autofill(options) {
  for (;;) {
    let round;
    try {
      return await ceremony('login', { ...options, armed: true }, run => {
        round = run;
        return login(run, { mediation: 'conditional' });
      });
    } catch (error) {
      if (running !== round || (error.code !== 'expired' && round.signal.reason !== 'stale')) throw error;
    }
  }
}

export function cancel() {
  running?.abort();
  running = undefined;
}

export async function signal(listing) {
  let told = false;
  for (const [what, details] of Object.entries(listing)) {
    const tell = 'signal' + what[0].toUpperCase() + what.slice(1);
    await api()?.[tell]?.(details).then(() => (told = true), () => {});
  }
  return told;
}

async function ceremony(kind, options, steps) {
  cancel();
  const run = Object.assign(new AbortController(), options, { kind, trace: randomHex(16), since: Date.now() });
  running = run;
  try {
    if (!api()) throw new PasskeyError(isSecureContext ? 'unsupported' : 'insecure');
    const result = await steps(run);
    report(run, 'ok');
    return { ...result, supportCode: supportCode(run) };
  } catch (fault) {
    const error = Object.assign(explain(run, fault), { supportCode: supportCode(run) });
    report(run, error.code, error.cause?.name);
    throw error;
  }
}

async function register(run) {
  const options = await recently(run, () => call(run, '/auth/passkey/register/options'));
  const credential = await prompt(run, 'create', options);
  try {
    return await recently(run, () => call(run, '/auth/passkey/register/finish', toJson(credential)));
  } catch (refusal) {
    // The service does not keep it, so the device need not.
    if (refusal.status < 429 && refusal.code !== 'duplicate') {
      signal({ unknownCredential: { rpId: run.rpId, credentialId: credential.id } });
    }
    throw refusal;
  }
}

/** Tries again after a prompt if the sign-in is too old. */
async function recently(run, act) {
  try {
    return await act();
  } catch (refusal) {
    if (refusal.problem !== 'recent_login_required') throw refusal;
    const { userId } = await call(run, '/auth/session');
    run.renewed = (await login(Object.assign(run, { userId }))).token;
    return act();
  }
}

async function login(run, mode) {
  const query = run.userId ? '?userId=' + encodeURIComponent(run.userId) : '';
  const credential = await prompt(run, 'get', await call(run, '/auth/passkey/login/options' + query), mode);
  const answer = await call(run, '/auth/passkey/login/finish' + query, toJson(credential));
  run.token = answer.token;
  if (api().signalAllAcceptedCredentials) call(run, '/auth/passkey/credentials').then(signal, () => {});
  return { ...answer, hybrid: credential.authenticatorAttachment === 'cross-platform' };
}

async function prompt(run, phase, options, mode) {
  if (run.hybrid) options.hints = ['hybrid'];
  const publicKey = parsed(phase, options);
  run.rpId = options.rpId ?? options.rp.id;
  run.asked = { challenge: options.challenge, userId: run.userId ?? options.user?.name };
  run.timeout = options.timeout;
  run.since = Date.now();
  const renewal = run.armed && renewInTime(run);
  if (!renewal) run.onPrompt?.(phase);
  try {
    const credential = await navigator.credentials[phase]({ publicKey, signal: run.signal, ...mode });
    run.onVerify?.();
    return credential;
  } finally {
    clearInterval(renewal);
  }
}

/** Ends an armed request before its challenge expires, also after sleep. */
function renewInTime(run) {
  return setInterval(() => {
    if (age(run) > run.timeout * 0.8 && !document.hidden) run.abort('stale');
  }, 1000);
}

async function call(run, path, body, more) {
  const response = await send(run, path, body, { signal: run.signal, ...more }).catch(cause => {
    throw new PasskeyError('network', { cause });
  });
  const answer = await response.json().catch(() => {});
  if (response.ok && answer) return answer;
  throw refusal(run, response, answer ?? {});
}

function send({ trace, token }, path, body, more) {
  const headers = { traceparent: `00-${trace}-${randomHex(8)}-01` };
  if (body) headers['content-type'] = 'application/json';
  if (token) headers.authorization = 'Bearer ' + token;
  return (settings.fetch ?? fetch)(settings.base + path, {
    method: body ? 'POST' : 'GET',
    headers,
    body: JSON.stringify(body),
    credentials: 'include',
    ...more,
  });
}

function refusal(run, { status, headers }, { code: problem, error, detail, correlationId }) {
  let code = status === 429 ? 'limited' : status < 500 && problem ? MEANINGS[problem] : 'unavailable';
  if (status === 401 && age(run) > run.timeout) code = 'expired';
  const message = code ? undefined : error + (detail ? ': ' + detail : '.');
  const retryAfter = +headers.get('retry-after') || undefined;
  return new PasskeyError(code ?? 'refused', { message, status, problem, correlationId, retryAfter });
}

function explain(run, cause) {
  if (run.signal.aborted) return new PasskeyError('aborted', { cause });
  if (cause instanceof PasskeyError) return cause;
  let code = MEANINGS[cause.name] ?? 'authenticator';
  // Only the time it took can tell why.
  if (cause.name === 'NotAllowedError') {
    code = age(run) < 1000 ? 'blocked' : age(run) < run.timeout ? 'dismissed' : 'timeout';
  }
  return new PasskeyError(code, { cause });
}

function report(run, outcome, error) {
  if (!settings.report || (run.armed && outcome === 'aborted')) return;
  const { kind, rpId, asked } = run;
  const body = { ceremony: kind, outcome, elapsedMs: age(run), error, origin: location.origin, rpId, ...asked };
  send(run, '/auth/passkey/report', body, { keepalive: true }).catch(() => {});
}

const age = run => Date.now() - run.since;

function parsed(phase, json) {
  const native = `parse${phase === 'get' ? 'Request' : 'Creation'}OptionsFromJSON`;
  if (api()[native]) return api()[native](json);
  const withBytes = it => it && { ...it, id: bytes(it.id) };
  return {
    ...json,
    challenge: bytes(json.challenge),
    user: withBytes(json.user),
    allowCredentials: json.allowCredentials?.map(withBytes),
    excludeCredentials: json.excludeCredentials?.map(withBytes),
  };
}

/** Without the key that prf derived. */
function toJson(credential) {
  const json = credential.toJSON?.() ?? plain(credential);
  delete json.clientExtensionResults.prf?.results;
  return json;
}

function plain(credential) {
  const { id, type, authenticatorAttachment, response } = credential;
  const parts = { transports: response.getTransports?.() };
  for (const part in response) {
    if (response[part]?.byteLength) parts[part] = base64url(response[part]);
  }
  const clientExtensionResults = credential.getClientExtensionResults();
  return { id, rawId: id, type, authenticatorAttachment, clientExtensionResults, response: parts };
}

const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0));

const base64url = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const randomHex = length =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), byte => byte.toString(16).padStart(2, '0')).join('');

/** 25 bits in base32: K7-4QX. */
function supportCode({ trace }) {
  const digits = (parseInt(trace.slice(0, 7), 16) >> 3).toString(32).padStart(5, '0');
  return digits.replace(/./g, digit => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[parseInt(digit, 32)]).replace(/../, '$&-');
}
