// SPDX-License-Identifier: Apache-2.0
// The published types accept the responses that openapi.json describes.
import type { Passkey as Described, WhoAmI } from 'openapi';
import type { Passkey, Session } from '../src/porchlight/account.js';

export const passkey = (described: Described): Passkey => described;
export const session = (described: WhoAmI): Session => described;
