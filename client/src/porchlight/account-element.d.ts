// SPDX-License-Identifier: Apache-2.0
import type { PasskeyError } from '../porchlight.js';
import type { PorchlightElement } from './porchlight-element.js';

/**
 * `<porchlight-account>`: the signed-in user and their passkeys, to add, rename and remove, advice about losing them, and a button
 * that signs out.
 *
 * Attributes: `base` (the service's address), `href` (the page to open for a user who is not, or no longer, signed in), `profile`
 * (shows it, with a form for what the user may change), `sessions` and `applications` (lists them, with buttons that end them),
 * `devices` (offers a link for another device), `recovery` (offers recovery codes, and shows a recovery that waits), `heading`
 * (the level of the title, 2 by default), `offer` (offers a passkey on this device), `messages` (JSON), `unstyled` (renders into
 * the page instead of a shadow root).
 */
export class PorchlightAccount extends PorchlightElement {
  /** The access token, if sessions are not used. Set it before the element is connected. */
  token?: string;
  /** The token of a mailed link, which verifies the address of the user. Set it before the element is connected. */
  emailToken?: string;
  /** The user and the button that signs out, which a page may move. */
  readonly header: HTMLElement;
}

declare global {
  interface HTMLElementTagNameMap {
    'porchlight-account': PorchlightAccount;
  }
  interface HTMLElementEventMap {
    /** No user is signed in, or no longer. Prevent the default to stay on the page. */
    'porchlight-signed-out': CustomEvent<{ reason: 'none' | 'signed-out' | 'ended' }>;
    /** The token of a new sign-in replaces the property `token`. */
    'porchlight-token': CustomEvent<{ token: string }>;
    'porchlight-offer-declined': CustomEvent<null>;
    'porchlight-passkey-added': CustomEvent<{ credentialId: string }>;
    'porchlight-passkey-removed': CustomEvent<{ credentialId: string }>;
    'porchlight-error': CustomEvent<PasskeyError>;
    'porchlight-code': CustomEvent<{ supportCode: string }>;
  }
}
