// SPDX-License-Identifier: Apache-2.0

/** The base class of the elements. */
export class PorchlightElement<Text extends string = string> extends HTMLElement {
  /** The texts. Set those to replace; error codes replace the sentences of errors. `{name}` stands for a value. */
  get messages(): Record<string, string>;
  set messages(texts: Partial<Record<Text, string>>);
  /** The language of the texts and dates: that of the nearest `lang` attribute, or else of the browser. */
  get language(): string;
}
