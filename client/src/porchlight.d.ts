// SPDX-License-Identifier: Apache-2.0

/** Configures the module. Omitted members keep their value. */
export function configure(options: {
  /** The service's address. Default: the origin of this module. */
  base?: string;
  fetch?: typeof fetch;
  /** Whether to report outcomes to the service, for its operators. Default: true. */
  report?: boolean;
  /** Whether to send the list of valid passkeys to passkey managers after a sign-in. Default: true. */
  signal?: boolean;
}): void;

/** Returns what this browser supports. An undefined member means unknown, not unsupported. */
export function support(): Promise<Support>;

/** Creates an account with its first passkey and signs the user in: one prompt. */
export function signUp(user: NewUser, options?: PromptOptions): Promise<SignedIn>;

/** Registers a passkey with the token of an enrollment link (`/#enroll=…`) and signs the user in: one prompt. */
export function enroll(token: string, options?: PromptOptions): Promise<SignedIn>;

/** Signs in with a prompt. */
export function signIn(options?: SignInOptions): Promise<SignedIn>;

/**
 * Offers passkeys in the autofill of a field with `autocomplete="username webauthn"`. Renews its options until the user
 * chooses a passkey. Rejects with `aborted` when another ceremony starts.
 */
export function autofill(options?: Omit<PromptOptions, 'onPrompt'>): Promise<SignedIn>;

/**
 * Adds a passkey for the signed-in user. If the sign-in is too old, the user signs in again first: two prompts, `get` and
 * `create`, and `token` is the access token of the new sign-in.
 */
export function addPasskey(options?: AddOptions): Promise<{ credentialId: string; supportCode: string; token?: string }>;

/** Aborts the current ceremony, if any. It rejects with `aborted`. */
export function cancel(): void;

/**
 * Sends the list of valid passkeys to passkey managers. `listing` is the response of `GET`, `PATCH` or `DELETE`
 * `/auth/passkey/credentials`. Returns false if no signal was sent, for example because the browser does not support it.
 */
export function signal(listing: object): Promise<boolean>;

/**
 * Sends a request to another route of the service, for example `/auth/sessions`. Resolves to the JSON of the response, or
 * to undefined if it has no body.
 */
export function request<T = any>(path: string, options?: RequestOptions): Promise<T>;

/**
 * Reports an outcome to the service, for its operators, unless `configure` turned reports off. Resolves to the error of a report
 * that was not accepted.
 */
export function report(run: Run, outcome: Code | 'ok' | 'waiting', error?: string): Promise<PasskeyError | undefined> | undefined;

/** Returns the support code of an attempt. */
export function supportCode(run: Pick<Run, 'trace'>): string;

/** Returns random bytes as hex digits: 16 bytes for a trace id. */
export function randomHex(length: number): string;

/** An attempt. */
export interface Run {
  kind: 'login' | 'registration' | 'account';
  /** The trace id of its requests, 32 hex digits. */
  trace: string;
  /** When its prompt was opened, in milliseconds since the epoch. */
  start: number;
  token?: string;
}

export interface Account {
  /** The user's access token, if sessions are not used. */
  token?: string;
  /** The trace id of the requests, 32 hex digits. Default: a new one for each request. */
  trace?: string;
}

export interface Renewal {
  /**
   * Called when the user signs in again, with the access token of the new sign-in, if the service issues tokens. It stays
   * valid if the rest fails.
   */
  onToken?: (token?: string) => void;
}

export interface RequestOptions extends Account, Omit<RequestInit, 'body' | 'headers'> {
  /** Sent as JSON. The default method is POST then. */
  body?: object;
}

/** Also has what the browser reports, such as `conditionalCreate` and `extension:prf`. */
export interface Support {
  [capability: string]: boolean | undefined;
  secure: boolean;
  passkeys: boolean;
  /** Passkeys in autofill. */
  autofill?: boolean;
  /** Passkeys of a nearby phone. */
  hybrid?: boolean;
  /** Prompts that only open if this device has a passkey. */
  immediate?: boolean;
  /** Signals to passkey managers. */
  signal?: boolean;
  /** A fingerprint reader, face recognition or screen lock of this device that can create passkeys. */
  platform?: boolean;
}

export interface PromptOptions {
  /**
   * Called right before the browser prompts to create (`create`) or use (`get`) a passkey. Browsers do not say whether a prompt
   * opened: after a while, show `supportCode(run)` and `report(run, 'waiting')`.
   */
  onPrompt?: (phase: 'create' | 'get', run: Run) => void;
  /** May change the options of the prompt, for example its `extensions`. */
  onOptions?: (options: any, phase: 'create' | 'get') => void;
  /** Called after the prompt, before the service verifies the response. Results of prf are not sent to it. */
  onVerify?: (credential: PublicKeyCredential) => void;
  /** The request of an OpenID Connect application that the sign-in is for, from `/oauth2/request`. */
  requestId?: string;
}

/** A new user. The service accepts the members of the profile that its setting `SIGNUP_FIELDS` names. */
export interface NewUser {
  userId: string;
  displayName?: string;
  name?: string;
  givenName?: string;
  familyName?: string;
  email?: string;
  locale?: string;
}

export interface SignInOptions extends PromptOptions {
  /** The user to sign in. Without it, the user picks a passkey. */
  userId?: string;
  /** Prefers a phone or another device. */
  hybrid?: boolean;
  /** Opens no prompt unless this device has a passkey. Ignored where unsupported, or with a userId. */
  immediate?: boolean;
}

export interface AddOptions extends PromptOptions, Account, Renewal {
  /** A name for the new passkey. */
  name?: string;
  /**
   * Creates the passkey without a prompt after a sign-in with a password manager. Rejects if the browser does not, which is no
   * error to show, or if the sign-in is too old.
   */
  mediation?: 'conditional';
}

export interface SignedIn {
  userId: string;
  /** The access token and its expiry in milliseconds since the epoch, unless the service issues sessions only. */
  token?: string;
  expiresAt?: number;
  /** Identifies this ceremony in the service's console. */
  supportCode: string;
  /** Whether the passkey is on another device. If so, offer to create one on this device. */
  hybrid: boolean;
}

export type Code =
  | 'insecure'
  | 'unsupported'
  | 'blocked'
  | 'dismissed'
  | 'timeout'
  | 'aborted'
  | 'duplicate'
  | 'config'
  | 'authenticator'
  | 'expired'
  | 'refused'
  | 'exists'
  | 'closed'
  | 'limited'
  | 'unavailable'
  | 'network';

/** The only error that the functions of this module reject with. */
export class PasskeyError extends Error {
  /** The default message is the sentence for the code. */
  constructor(code: Code, details?: Partial<Pick<PasskeyError, Exclude<keyof PasskeyError, 'name' | 'code' | 'stack'>>>);
  readonly name: 'PasskeyError';
  readonly code: Code;
  /** A sentence to show to the user. */
  readonly message: string;
  readonly supportCode?: string;
  readonly correlationId?: string;
  /** Seconds to wait before trying again. */
  readonly retryAfter?: number;
  /** The HTTP status, if the service refused the request. */
  readonly status?: number;
  /** The service's error code, for example `recent_login_required`. */
  readonly problem?: string;
  /** The origin to use instead, if the page was opened at an address that the service does not know and the service names it. */
  readonly origin?: string;
  readonly cause?: unknown;
}
