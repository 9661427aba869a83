// SPDX-License-Identifier: Apache-2.0
// Teaches JSX the sign-in element.
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { PorchlightSignIn } from '@porchlight/client/signin-element';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'porchlight-signin': DetailedHTMLProps<HTMLAttributes<PorchlightSignIn>, PorchlightSignIn> & {
        base?: string;
        signup?: boolean;
        autofill?: boolean;
        'onporchlight-signed-in'?: (event: HTMLElementEventMap['porchlight-signed-in']) => void;
      };
    }
  }
}
