// SPDX-License-Identifier: Apache-2.0
import type { PasskeyError, SignedIn } from '../porchlight.js';
import type { PorchlightElement } from './porchlight-element.js';

/**
 * `<porchlight-signin>`: signs in with a passkey, creates an account, or creates the passkey of an enrollment link or a recovery code. Shows progress,
 * errors and the ways to recover.
 *
 * Attributes: `base` (the service's address), `signup` (offers to create an account), `recovery` (offers to use a recovery code), `fields` (what else it
 * asks for, such as `name* email`, as in the setting `SIGNUP_FIELDS`), `autofill` (shows a name field that offers
 * passkeys), `view`, `href` (the page to open after a sign-in), `help` (offers help after an error), `messages` (JSON), `unstyled`
 * (renders into the page instead of a shadow root).
 */
export class PorchlightSignIn extends PorchlightElement {
  view: View;
  /** The token of an enrollment link. Set it before the element is connected. */
  enrollment?: string;
  /** The access token that ends when the user chooses another account, if sessions are not used. */
  token?: string;
  /** The request of an OpenID Connect application that the sign-in is for, from `/oauth2/request`. */
  requestId?: string;
  /** Opens an enrollment link. */
  openEnrollment(token: string): Promise<void>;
  /** Shows a view, for an element that began with `loading`. */
  show(view: View): void;
}

/** `loading` shows nothing; `signed-in` asks a user with a session whether to continue. */
export type View = 'sign-in' | 'sign-up' | 'enroll' | 'recovery' | 'signed-in' | 'loading';

declare global {
  interface HTMLElementTagNameMap {
    'porchlight-signin': PorchlightSignIn;
  }
  interface HTMLElementEventMap {
    /** The user chose `Get help`. */
    'porchlight-help': CustomEvent<null>;
    'porchlight-view': CustomEvent<{ view: View }>;
    /** The user signed in, or created an account if `signedUp` is true. */
    'porchlight-signed-in': CustomEvent<SignedIn & { signedUp: boolean }>;
    'porchlight-error': CustomEvent<PasskeyError>;
    'porchlight-code': CustomEvent<{ supportCode: string }>;
  }
}
