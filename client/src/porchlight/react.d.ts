// SPDX-License-Identifier: Apache-2.0
// Defines both elements, and teaches JSX their attributes and events.
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { PorchlightAccount } from './account-element.js';
import type { PorchlightSignIn, View } from './signin-element.js';

/** Listeners for the events of the elements, such as `onporchlight-signed-in`. React calls them since version 19. */
type Listeners = {
  [Name in keyof HTMLElementEventMap as Name extends `porchlight-${string}` ? `on${Name}` : never]?: (event: HTMLElementEventMap[Name]) => void;
};

interface Common {
  base?: string;
  href?: string;
  messages?: Record<string, string>;
  help?: boolean;
  unstyled?: boolean;
}

type Props<Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element> & Listeners & Common;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'porchlight-signin': Props<PorchlightSignIn> & { signup?: boolean; recovery?: boolean; fields?: string; autofill?: boolean; view?: View; enrollment?: string; token?: string };
      'porchlight-account': Props<PorchlightAccount> & { profile?: boolean; sessions?: boolean; applications?: boolean; devices?: boolean; recovery?: boolean; offer?: boolean; heading?: 1 | 2 | 3; token?: string };
    }
  }
}

export {};
