// SPDX-License-Identifier: Apache-2.0
/** Minimal fakes of a browser and of the service, enough for one ceremony. */

import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto; // Node 18 has no global crypto

export const RP_ID = 'example.com';
export const BASE = 'https://auth.example.com';
export const TIMEOUT = 300_000;

const bytes = (...values) => Uint8Array.from(values).buffer;

/** The error that a browser throws. */
export const refusal = name => new DOMException('', name);

/** A credential as returned by a browser without toJSON. */
class Credential {
  id = '-_8B';
  type = 'public-key';
  authenticatorAttachment = 'platform';
  extensions = {};

  constructor(response) {
    this.response = response;
  }

  getClientExtensionResults() {
    return this.extensions;
  }
}

export const created = () =>
  new Credential({ clientDataJSON: bytes(1), attestationObject: bytes(251, 255), getTransports: () => ['internal'] });

export const asserted = () =>
  new Credential({
    clientDataJSON: bytes(1),
    authenticatorData: bytes(2),
    signature: bytes(251, 239, 190),
    userHandle: bytes(4, 5),
  });

/** A password manager that responds immediately; tests replace `create` and `get`. */
export class Authenticator {
  prompts = [];
  create = () => created();
  get = () => asserted();

  /** Resolves asynchronously, and rejects with the signal's reason when it is aborted first, like navigator.credentials. */
  prompt(phase, options) {
    this.prompts.push({ phase, ...options });
    return new Promise((resolve, reject) => {
      const abort = () => reject(options.signal.reason);
      if (options.signal?.aborted) return abort();
      options.signal?.addEventListener('abort', abort);
      Promise.resolve()
        .then(() => this[phase](options))
        .then(resolve, reject);
    });
  }
}

export const never = () => new Promise(() => {});

const OPTIONS = {
  create: {
    rp: { id: RP_ID, name: 'Example' },
    user: { id: 'AQID', name: 'ada', displayName: 'Ada' },
    challenge: '-_8',
    timeout: TIMEOUT,
    excludeCredentials: [{ type: 'public-key', id: 'AQI' }],
  },
  get: { rpId: RP_ID, challenge: '-_8', timeout: TIMEOUT, allowCredentials: [{ type: 'public-key', id: 'AQI' }] },
};

const SIGNED_IN = { token: 'jwt', expiresAt: 9, userId: 'ada' };

export const LISTING = {
  passkeys: [],
  allAcceptedCredentials: { rpId: RP_ID, userId: 'AQID', allAcceptedCredentialIds: ['AQI'] },
};

export const problem = (status, code, more, headers) =>
  Response.json({ error: 'No', code, status, correlationId: 'c-1', ...more }, { status, headers });

/** A service that accepts every request; tests replace the `responses`, which are keyed by "METHOD /path". */
export class Service {
  requests = [];
  responses = {
    'POST /auth/signup': () => Response.json({ token: 'enr_1' }, { status: 201 }),
    'GET /auth/passkey/register/options': () => Response.json(OPTIONS.create),
    'POST /auth/passkey/register/finish': ({ headers }) =>
      Response.json(
        { credentialId: '-_8B', ...(headers.authorization?.includes('enr_') && SIGNED_IN) },
        { status: 201 },
      ),
    'GET /auth/passkey/login/options': () => Response.json(OPTIONS.get),
    'POST /auth/passkey/login/finish': () => Response.json(SIGNED_IN),
    'GET /auth/session': () => Response.json({ userId: 'ada' }),
    'GET /auth/passkey/credentials': () => Response.json(LISTING),
    'PATCH /auth/passkey/credentials/-_8B': () => Response.json(LISTING),
    'DELETE /auth/passkey/credentials/-_8B': () => Response.json(LISTING),
    'POST /auth/logout': () => new Response(null, { status: 204 }),
    'POST /auth/passkey/report': () => new Response(null, { status: 204 }),
  };

  fetch = async (url, { method, headers, body, signal, ...more }) => {
    signal?.throwIfAborted();
    const { origin, pathname, search } = new URL(url);
    const request = { origin, path: pathname, search, method, headers, body: body && JSON.parse(body), ...more };
    this.requests.push(request);
    const response = await this.responses[`${method} ${pathname}`](request);
    signal?.throwIfAborted();
    return response;
  };

  /** Returns the requests to a path, in order. */
  to(path) {
    return this.requests.filter(request => request.path === path);
  }

  /** Refuses only the next request of a route because the sign-in is too old. */
  requireLoginOnce(route) {
    const { [route]: original } = this.responses;
    this.responses[route] = () => {
      this.responses[route] = original;
      return problem(403, 'recent_login_required');
    };
  }

  get reports() {
    return this.to('/auth/passkey/report').map(({ body }) => body);
  }
}

/** A manual clock with its intervals. */
class Clock {
  now = 1_000_000;
  intervals = new Map();

  install() {
    Date.now = () => this.now;
    globalThis.setInterval = (task, every) => {
      const id = this.intervals.size + 1;
      this.intervals.set(id, { task, every, next: this.now + every });
      return id;
    };
    globalThis.clearInterval = id => this.intervals.delete(id);
    return this;
  }

  advance(milliseconds) {
    this.now += milliseconds;
    for (const interval of [...this.intervals.values()]) {
      if (interval.next <= this.now) {
        interval.next = this.now + interval.every;
        interval.task();
      }
    }
  }
}

/** Installs the fakes as globals. `api` is the browser's PublicKeyCredential. */
export function browser({ api = {}, secure = true } = {}) {
  const authenticator = new Authenticator();
  const credentials = {
    create: options => authenticator.prompt('create', options),
    get: options => authenticator.prompt('get', options),
  };
  Object.defineProperty(globalThis, 'navigator', { value: { credentials }, configurable: true });
  globalThis.PublicKeyCredential = secure ? api : undefined;
  globalThis.isSecureContext = secure;
  globalThis.location = { origin: 'https://app.example.com' };
  globalThis.document = { hidden: false };
  return { authenticator, service: new Service(), clock: new Clock().install() };
}

/** Waits until pending promises have settled. */
export const settle = () => new Promise(resolve => setTimeout(resolve, 5));
