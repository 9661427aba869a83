// SPDX-License-Identifier: Apache-2.0
import type { Code, PasskeyError, SignedIn } from '../porchlight.js';
import type { PorchlightElement } from './element.js';

/**
 * `<porchlight-signin>`: a button that signs in with a passkey and, with the attribute `signup`, a link to a form that creates
 * an account.
 *
 * Attributes: `base` (the service's address), `signup`, `autofill` (shows a name field that offers passkeys), `view`
 * (`sign-in` or `sign-up`), `href` (the page to open after a sign-in), `messages` (JSON).
 */
export class PorchlightSignIn extends PorchlightElement<SignInText | Code> {
  /** The default texts. */
  static readonly messages: Readonly<Record<SignInText, string>>;
  view: 'sign-in' | 'sign-up';
}

export type SignInText =
  | 'signIn'
  | 'phone'
  | 'newHere'
  | 'toSignUp'
  | 'userName'
  | 'nameRequired'
  | 'signUp'
  | 'haveOne'
  | 'toSignIn'
  | 'prompt'
  | 'checking'
  | 'cancel'
  | 'signedIn'
  | 'supportCode'
  | 'unexpected';

declare global {
  interface HTMLElementTagNameMap {
    'porchlight-signin': PorchlightSignIn;
  }
  interface HTMLElementEventMap {
    /** The user signed in, or created an account if `signedUp` is true. */
    'porchlight-signed-in': CustomEvent<SignedIn & { signedUp: boolean }>;
    'porchlight-error': CustomEvent<PasskeyError>;
  }
}
