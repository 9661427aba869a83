// SPDX-License-Identifier: Apache-2.0

/** Says where the service is and how it is spoken to. What is left out stays as it is. */
export function configure(options: {
  /** The service's address; by default the origin this module was loaded from. */
  base?: string;
  fetch?: typeof fetch;
  /** Whether outcomes are told to the service, for its operators; true unless said otherwise. */
  report?: boolean;
}): void;

/** What this browser can do. A member is undefined where the browser does not say: unknown is not unsupported. */
export function support(): Promise<Support>;

/** Makes an account and its first passkey, then signs in with it: two prompts. */
export function signUp(user: { userId: string; displayName?: string }, options?: PromptOptions): Promise<SignedIn>;

/** Registers a passkey by the token of an enrollment link (`/#enroll=…`), then signs in with it: two prompts. */
export function enroll(token: string, options?: PromptOptions): Promise<SignedIn>;

/** @deprecated an earlier spelling of `enroll` */
export const enrol: typeof enroll;

/** Signs in by a prompt. */
export function signIn(options?: SignInOptions): Promise<SignedIn>;

/**
 * Offers passkeys in the autofill of a field with `autocomplete="username webauthn"`. Stays armed, with fresh options,
 * until somebody chooses one; ends with `aborted` when another ceremony starts.
 */
export function autofill(options?: { onVerify?: () => void }): Promise<SignedIn>;

/**
 * Registers one more passkey for the signed-in user. If the sign-in is too old for that, asks for a passkey of the user first: then
 * there are two prompts, `get` and `create`, and `token` is the access token of the new sign-in.
 */
export function addPasskey(options?: AddOptions): Promise<{ credentialId: string; supportCode: string; token?: string }>;

/** Ends the ceremony that is under way, if one is, with `aborted`. */
export function cancel(): void;

/**
 * Tells passkey managers which passkeys are still good, from what the service answers to `GET`, `PATCH` and `DELETE`
 * of `/auth/passkey/credentials`. False when there is nothing to tell, or the browser has no way to.
 */
export function signal(listing: object): Promise<boolean>;

export interface Support {
  secure: boolean;
  passkeys: boolean;
  /** Passkeys in autofill. */
  autofill?: boolean;
  /** Passkeys of a phone nearby. */
  hybrid?: boolean;
  /** Prompts that open only if there is a passkey on this device. */
  immediate?: boolean;
  /** Telling passkey managers what became of their passkeys. */
  signal?: boolean;
  /** This device has a fingerprint reader, face recognition or screen lock that makes passkeys. */
  platform?: boolean;
}

export interface PromptOptions {
  /** Called right before the browser is asked to make (`create`) or use (`get`) a passkey. */
  onPrompt?: (phase: 'create' | 'get') => void;
  /** Called when the browser has answered and the service begins to check the answer. */
  onVerify?: () => void;
}

export interface SignInOptions extends PromptOptions {
  /** Who signs in; without it, the passkey tells. */
  userId?: string;
  /** Asks for a phone or another device first. */
  hybrid?: boolean;
  /** Opens no window unless this device has a passkey, where the browser can do that and no userId is given. */
  immediate?: boolean;
}

export interface AddOptions extends PromptOptions {
  /** What its owner calls the new passkey. */
  name?: string;
  /** The access token of whoever is signed in, where sessions are not used. */
  token?: string;
}

export interface SignedIn {
  userId: string;
  /** The access token and when it expires (milliseconds), unless the service gives sessions only. */
  token?: string;
  expiresAt?: number;
  /** Finds this ceremony in the service's console. */
  supportCode: string;
  /** Whether the passkey was on another device: a good moment to offer one on this. */
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

/** Why a ceremony did not end well. The only thing the functions of this module reject with. */
export class PasskeyError extends Error {
  /** Without a message of its own it says the sentence of its code. */
  constructor(code: Code, details?: Partial<Pick<PasskeyError, Exclude<keyof PasskeyError, 'name' | 'code' | 'stack'>>>);
  readonly name: 'PasskeyError';
  readonly code: Code;
  /** A sentence for the person who tried. */
  readonly message: string;
  readonly supportCode?: string;
  readonly correlationId?: string;
  /** Seconds to wait before trying again makes sense. */
  readonly retryAfter?: number;
  /** The HTTP status, when the service said no. */
  readonly status?: number;
  /** The service's own code, when it said no: for example `recent_login_required`. */
  readonly problem?: string;
  readonly cause?: unknown;
}
