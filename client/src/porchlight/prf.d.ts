// SPDX-License-Identifier: Apache-2.0
import type { SignInOptions, SignedIn } from '../porchlight.js';

/**
 * Signs in and derives a key from the passkey, with one prompt: for AES-GCM with 256 bits, and not extractable. The same
 * passkey and salt always yield the same key, and each passkey of a user yields another one. The salt need not be secret. The
 * service never receives the key. Rejects with `unsupported` if the passkey, or the browser, has no prf extension; the user
 * is signed in nevertheless.
 */
export function deriveKey(salt: string | BufferSource, options?: DeriveOptions): Promise<CryptoKey>;

export interface DeriveOptions extends SignInOptions {
  /** Called after the sign-in, before the key is derived. */
  onSignIn?: (signedIn: SignedIn) => void;
}
