// SPDX-License-Identifier: Apache-2.0
/** See porchlight.d.ts. */

const MESSAGES = {
  insecure: 'Passkeys need a secure page: use https.',
  unsupported: "This device can't store a passkey. Set up a PIN, or use your phone.",
  blocked: "Your browser didn't show the passkey prompt. Try again.",
  dismissed: 'No passkey was used. Try again, or use your phone.',
  timeout: "The passkey prompt timed out. Try again when you're ready.",
  aborted: 'Canceled.',
  duplicate: 'This device already has a passkey for your account.',
  config: "Passkeys don't work at this address. Contact support.",
  authenticator: "Your passkey manager isn't responding. Unlock it and try again.",
  expired: 'That took too long. Try again.',
  refused: "That passkey wasn't accepted. It may have been removed. Try another one.",
  exists: "This user name is taken. If it's yours, sign in.",
  closed: 'Sign-up is closed. Ask for an enrollment link.',
  limited: 'Too many attempts. Try again in a moment.',
  unavailable: "The service isn't responding. Try again in a moment.",
  network: "You're offline, or the service isn't responding.",
};

const CODES = {
  InvalidStateError: 'duplicate',
  SecurityError: 'config',
  cross_site: 'config',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
  authentication_failed: 'refused',
  user_exists: 'exists',
  signup_closed: 'closed',
  credential_exists: 'duplicate',
  challenge_not_found: 'expired',
  challenge_expired: 'expired',
};

const settings = { base: new URL(import.meta.url).origin, report: true, signal: true };

const active = {};

const api = () => globalThis.PublicKeyCredential;

export class PasskeyError extends Error {
  constructor(code, { message = MESSAGES[code], ...details } = {}) {
    super(message);
    Object.assign(this, { name: 'PasskeyError', code, ...details });
  }
}

export function configure(options) {
  Object.assign(settings, options);
}

export async function support() {
  const client = (await api()?.getClientCapabilities?.()) ?? {};
  return {
    ...client,
    secure: isSecureContext,
    passkeys: !!api(),
    autofill: client.conditionalGet ?? (await api()?.isConditionalMediationAvailable?.()),
    hybrid: client.hybridTransport,
    immediate: client.immediateGet,
    signal: !!api()?.signalAllAcceptedCredentials,
    platform:
      client.userVerifyingPlatformAuthenticator ?? (await api()?.isUserVerifyingPlatformAuthenticatorAvailable?.()),
  };
}

export function signUp(user, options) {
  return ceremony('registration', options, async run => {
    run.token = (await call(run, '/auth/signup', user)).token;
    return register(run);
  });
}

export const enroll = (token, options) => ceremony('registration', { ...options, token }, register);

export function addPasskey(options) {
  return ceremony('registration', options, async run => {
    const { credentialId } = await register(run);
    const path = '/auth/passkey/credentials/' + credentialId;
    if (run.name) await call(run, path, { name: run.name }, { method: 'PATCH' }).then(signal, () => {});
    return { credentialId, token: run.renewed };
  });
}

export function signIn(options) {
  return ceremony('login', options, async run => {
    const immediate = run.immediate && !run.userId && (await support()).immediate;
    return login(run, immediate && { uiMode: 'immediate', signal: undefined });
  });
}

export async function autofill(options) {
  for (;;) {
    let attempt;
    try {
      return await ceremony('login', { ...options, mediation: 'conditional' }, run => login((attempt = run)));
    } catch (error) {
      if (active.run !== attempt || (error.code !== 'expired' && attempt.signal.reason !== 'stale')) throw error;
    }
  }
}

export function cancel() {
  active.run?.abort();
  active.run = undefined;
}

export async function signal(listing) {
  let sent = false;
  for (const [name, details] of Object.entries(listing)) {
    const method = 'signal' + name[0].toUpperCase() + name.slice(1);
    await api()?.[method]?.(details).then(() => (sent = true), () => {});
  }
  return sent;
}

export function request(path, { body, token, trace = randomHex(16), ...init } = {}) {
  return call({ trace, token }, path, body, init);
}

async function ceremony(kind, options, steps) {
  cancel();
  const run = Object.assign(new AbortController(), options, { kind, trace: randomHex(16), start: Date.now() });
  active.run = run;
  try {
    if (!api()) throw new PasskeyError(isSecureContext ? 'unsupported' : 'insecure');
    const result = await steps(run);
    report(run, 'ok');
    return { ...result, supportCode: supportCode(run) };
  } catch (cause) {
    const error = Object.assign(toError(run, cause), { supportCode: supportCode(run) });
    const reported = report(run, error.code, error.cause?.name ?? error.problem);
    if (error.code === 'config') error.origin = (await reported)?.origin;
    throw error;
  }
}

async function register(run) {
  const options = await withLogin(run, () => call(run, '/auth/passkey/register/options' + query(run, 'mediation')));
  const credential = await prompt(run, 'create', options);
  try {
    const result = await withLogin(run, () => call(run, '/auth/passkey/register/finish' + query(run, 'requestId'), toJson(credential)));
    return { ...result, hybrid: isHybrid(credential) };
  } catch (error) {
    if (error.status < 429 && error.code !== 'duplicate') {
      signal({ unknownCredential: { rpId: run.rpId, credentialId: credential.id } });
    }
    throw error;
  }
}

async function withLogin(run, attempt) {
  try {
    return await attempt();
  } catch (error) {
    if (error.problem !== 'recent_login_required' || run.mediation) throw error;
    const { userId } = await call(run, '/auth/session');
    await login(Object.assign(run, { userId }));
    run.renewed = run.token;
    run.onToken?.(run.token);
    return attempt();
  }
}

async function login(run, mode) {
  const credential = await prompt(run, 'get', await call(run, '/auth/passkey/login/options' + query(run, 'userId', 'mediation')), mode);
  const result = await call(run, '/auth/passkey/login/finish' + query(run, 'userId', 'requestId'), toJson(credential));
  run.token = result.token;
  if (settings.signal && api().signalAllAcceptedCredentials) call(run, '/auth/passkey/credentials').then(signal, () => {});
  return { ...result, hybrid: isHybrid(credential) };
}

async function prompt(run, phase, options, mode) {
  if (run.hybrid) options.hints = ['hybrid'];
  const publicKey = parseOptions(phase, options);
  run.onOptions?.(publicKey, phase);
  run.rpId = options.rpId ?? options.rp.id;
  run.context = { challenge: options.challenge, userId: run.userId ?? options.user?.name };
  run.timeout = options.timeout;
  run.start = Date.now();
  const timer = run.mediation && renewal(run);
  if (!timer) run.onPrompt?.(phase, run);
  try {
    const credential = await navigator.credentials[phase]({ publicKey, signal: run.signal, mediation: run.mediation, ...mode });
    run.used = true;
    run.onVerify?.(credential);
    return credential;
  } finally {
    clearInterval(timer);
  }
}

function renewal(run) {
  return setInterval(() => {
    if (elapsed(run) > run.timeout * 0.8 && !document.hidden) run.abort('stale');
  }, 1000);
}

async function call(run, path, body, init) {
  const response = await send(run, path, body, { signal: run.signal, ...init }).catch(cause => {
    throw new PasskeyError('network', { cause });
  });
  const json = await response.json().catch(() => {});
  if (response.ok && (json || response.status === 204)) return json;
  throw refusal(run, response, json ?? {});
}

function send({ trace, token }, path, body, init) {
  const headers = { traceparent: `00-${trace}-${randomHex(8)}-01` };
  if (body) headers['content-type'] = 'application/json';
  if (token) headers.authorization = 'Bearer ' + token;
  return (settings.fetch ?? fetch)(settings.base + path, {
    method: body ? 'POST' : 'GET',
    headers,
    body: JSON.stringify(body),
    credentials: 'include',
    ...init,
  });
}

function refusal(run, { status, headers }, { code: problem, error, detail, ...more }) {
  let code = status === 429 ? 'limited' : status < 500 && problem ? CODES[problem] : 'unavailable';
  if (status === 401 && elapsed(run) > run.timeout) code = 'expired';
  const message = code ? undefined : detail ? error.replace(/\.$/, ': ') + detail : error;
  const retryAfter = +headers.get('retry-after') || undefined;
  return new PasskeyError(code ?? 'refused', { ...more, message, status, problem, retryAfter, supportCode: supportCode(run) });
}

function toError(run, cause) {
  if (run.signal.aborted) return new PasskeyError('aborted', { cause });
  if (cause instanceof PasskeyError) return cause;
  let code = CODES[cause.name] ?? 'authenticator';
  // Only the time is known.
  if (cause.name === 'NotAllowedError') {
    code = elapsed(run) < 1000 ? 'blocked' : elapsed(run) < run.timeout ? 'dismissed' : 'timeout';
  }
  return new PasskeyError(code, { cause });
}

export function report(run, outcome, error) {
  if (!settings.report || (run.mediation && !run.used)) return;
  const { kind, rpId, context } = run;
  const body = { ceremony: kind, outcome, elapsedMs: elapsed(run), error, origin: location.origin, rpId, ...context };
  return call(run, '/auth/passkey/report', body, { keepalive: true, signal: null }).catch(cause => cause);
}

const query = (run, ...names) => '?' + new URLSearchParams(names.filter(name => run[name]).map(name => [name, run[name]]));

const isHybrid = credential => credential.authenticatorAttachment === 'cross-platform';

const elapsed = run => Date.now() - run.start;

function parseOptions(phase, json) {
  const native = `parse${phase === 'get' ? 'Request' : 'Creation'}OptionsFromJSON`;
  if (api()[native]) return api()[native](json);
  const decodeId = item => item && { ...item, id: bytes(item.id) };
  return {
    ...json,
    challenge: bytes(json.challenge),
    user: decodeId(json.user),
    allowCredentials: json.allowCredentials?.map(decodeId),
    excludeCredentials: json.excludeCredentials?.map(decodeId),
  };
}

/** Omits secret prf results. */
function toJson(credential) {
  const json = credential.toJSON?.() ?? encode(credential);
  delete json.clientExtensionResults.prf?.results;
  return json;
}

function encode(credential) {
  const { id, type, authenticatorAttachment, response } = credential;
  const encoded = { transports: response.getTransports?.() };
  for (const name in response) if (response[name]?.byteLength) encoded[name] = base64url(response[name]);
  const clientExtensionResults = credential.getClientExtensionResults();
  return { id, rawId: id, type, authenticatorAttachment, clientExtensionResults, response: encoded };
}

const bytes = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0));

const base64url = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

export const randomHex = length =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), byte => byte.toString(16).padStart(2, '0')).join('');

/** 25 bits in base32. */
export function supportCode({ trace }) {
  const digits = (parseInt(trace.slice(0, 7), 16) >> 3).toString(32).padStart(5, '0');
  return digits.replace(/./g, digit => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[parseInt(digit, 32)]).replace(/../, '$&-');
}
