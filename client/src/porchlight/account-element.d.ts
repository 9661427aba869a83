// SPDX-License-Identifier: Apache-2.0
import type { Code, PasskeyError } from '../porchlight.js';
import type { PorchlightElement } from './element.js';

/**
 * `<porchlight-account>`: the signed-in user and their passkeys, to add, rename and remove, and a button that signs out.
 *
 * Attributes: `base` (the service's address), `href` (the page to open for a user who is not, or no longer, signed in),
 * `messages` (JSON).
 */
export class PorchlightAccount extends PorchlightElement<AccountText | Code> {
  /** The default texts. */
  static readonly messages: Readonly<Record<AccountText, string>>;
  /** The access token, if sessions are not used. Set it before the element is connected. */
  token?: string;
}

export type AccountText =
  | 'user'
  | 'signOut'
  | 'add'
  | 'rename'
  | 'renameLabel'
  | 'nameLabel'
  | 'save'
  | 'remove'
  | 'removeLabel'
  | 'removeQuestion'
  | 'removeLast'
  | 'confirm'
  | 'cancel'
  | 'passkey'
  | 'securityKey'
  | 'synced'
  | 'created'
  | 'lastUsed'
  | 'added'
  | 'renamed'
  | 'removed'
  | 'removedHere'
  | 'prompt'
  | 'checking'
  | 'supportCode'
  | 'unexpected';

declare global {
  interface HTMLElementTagNameMap {
    'porchlight-account': PorchlightAccount;
  }
  interface HTMLElementEventMap {
    /** No user is signed in, or no longer. */
    'porchlight-signed-out': CustomEvent<null>;
    'porchlight-passkey-added': CustomEvent<{ credentialId: string }>;
    'porchlight-passkey-removed': CustomEvent<{ credentialId: string }>;
    'porchlight-error': CustomEvent<PasskeyError>;
  }
}
