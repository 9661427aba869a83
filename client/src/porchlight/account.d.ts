// SPDX-License-Identifier: Apache-2.0
import type { Account, PromptOptions, Renewal } from '../porchlight.js';

/** Returns the signed-in user, or undefined if no user is signed in. */
export function session(options?: Account): Promise<Session | undefined>;

/** Ends the session. With `everywhere`, ends all sessions and access tokens of the user. */
export function signOut(options?: Account & { everywhere?: boolean }): Promise<void>;

/** Returns the user's passkeys, oldest first, and sends the list to passkey managers. */
export function passkeys(options?: Account): Promise<Passkey[]>;

/** Renames a passkey of the user and returns all of them. */
export function rename(credentialId: string, name: string, options?: Account): Promise<Passkey[]>;

/**
 * Removes a passkey of the user. If the sign-in is too old, the user signs in again first: one prompt, and `token` is the
 * access token of the new sign-in. Rejects with the problem `last_credential` if it is the last one, unless `force` is set.
 */
export function remove(credentialId: string, options?: RemoveOptions): Promise<Removed>;

/** Returns the user's profile. */
export function profile(options?: Account): Promise<Profile>;

/**
 * Changes members of the profile, of which null removes one, and returns the profile. If the sign-in is too old to change the
 * email address, the user signs in again first.
 */
export function changeProfile(changes: ProfileChanges, options?: PromptOptions & Account & Renewal): Promise<Profile>;

/** Mails a link to the user's address that verifies it. A mailbox gets few of them in a day. */
export function sendEmailLink(options?: Account): Promise<void>;

/**
 * Verifies the address of the signed-in user with the token in a mailed link, and returns the profile. Rejects with the problem
 * `email_link_ended` for one of another user or address, or one that has ended.
 */
export function verifyEmail(token: string, options?: Account): Promise<Profile>;

export interface Profile {
  name?: string;
  givenName?: string;
  familyName?: string;
  email?: string;
  emailVerified?: boolean;
  /** Whether `sendEmailLink` can verify the address. */
  canVerify?: boolean;
  /** A language tag. */
  locale?: string;
  /** An https URL. */
  picture?: string;
  claims?: Record<string, unknown>;
  /** The members that the user may change. */
  editable: string[];
}

export type ProfileChanges = { [member in 'name' | 'givenName' | 'familyName' | 'email' | 'locale' | 'picture']?: string | null };
/**
 * Creates a link for another device, which registers one passkey there within ten minutes, and its QR code. If the sign-in is too
 * old, the user signs in again first.
 */
export function addDevice(options?: PromptOptions & Account & Renewal): Promise<DeviceLink>;

/** Returns how many recovery codes the user has, and whether a recovery waits. */
export function recovery(options?: Account): Promise<Recovery>;

/** Replaces the recovery codes of the user. If the sign-in is too old, the user signs in again first. Show the codes once. */
export function createRecoveryCodes(options?: PromptOptions & Account & Renewal): Promise<{ codes: string[]; token?: string }>;

/** Cancels a recovery that waits, and removes all recovery codes. */
export function cancelRecovery(options?: Account): Promise<void>;

/**
 * Uses up a recovery code of a user who cannot sign in. Resolves to the token for `enroll`, or to the time in milliseconds since
 * the epoch from which the same code yields it.
 */
export function recover(userId: string, code: string, options?: Pick<Account, 'trace'>): Promise<{ token?: string; validFrom?: number }>;

export interface DeviceLink {
  url: string;
  /** The QR code of the link, an SVG image. */
  qr: string;
  /** In milliseconds since the epoch, by the clock of the service. */
  expiresAt: number;
  token?: string;
}

export interface Recovery {
  /** Whether the user can have recovery codes and use them. */
  available: boolean;
  remaining: number;
  /** In milliseconds since the epoch. */
  createdAt?: number;
  /** Whether the codes were created after the user last signed in with the current passkey. Ask the user whether they did it. */
  newSinceLastLogin?: boolean;
  /** When the recovery that waits started, and from when its code can be used. */
  startedAt?: number;
  validFrom?: number;
}

export interface Session {
  userId: string;
  /** Whether a session cookie or an access token identifies the user. */
  via: 'session' | 'token';
  /** The time of the sign-in, in milliseconds since the epoch. */
  authTime?: number;
  /** In milliseconds since the epoch. */
  expiresAt?: number;
}

export interface RemoveOptions extends PromptOptions, Account, Renewal {
  /** Removes the last passkey too. The user may not be able to sign in afterwards. */
  force?: boolean;
}

export interface Removed {
  /** The remaining passkeys. */
  passkeys: Passkey[];
  /** Whether passkey managers were notified. If not, ask the user to delete the passkey there too. */
  signaled: boolean;
  token?: string;
}

export interface Passkey {
  credentialId: string;
  /** The name that the user chose. */
  name?: string;
  /** The model of the authenticator. Most password managers have one. */
  aaguid?: string;
  /** What the service's metadata says about the model: its name, and a picture as a data URL. */
  authenticator?: { name: string; icon?: string };
  transports: string[];
  /** Whether the passkey may be synced, and whether it is. */
  backupEligible?: boolean;
  backedUp?: boolean;
  /** In milliseconds since the epoch. */
  createdAt?: number;
  lastUsedAt?: number;
  /** The browser that created the passkey. */
  userAgent?: string;
  /** Whether it was added after the user last signed in with the current passkey. Ask the user whether they added it. */
  newSinceLastLogin?: boolean;
  /** When it was imported, if it was. */
  importedAt?: number;
}
