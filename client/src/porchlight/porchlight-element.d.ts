// SPDX-License-Identifier: Apache-2.0

/** The base class of the elements. */
export class PorchlightElement extends HTMLElement {
  /**
   * Texts to use instead of the shipped ones in `texts-en.js`, by key or by the part of the key after the dot. Error codes replace
   * the sentences of errors. `{name}` stands for a value.
   */
  messages: Record<string, string>;
  /** The language of the texts and dates: that of the nearest `lang` attribute, or else of the browser. */
  get language(): string;
  /** Resolves when the content exists. */
  readonly ready: Promise<void>;
}
