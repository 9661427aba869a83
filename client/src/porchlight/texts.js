// SPDX-License-Identifier: Apache-2.0

/** The languages, loaded when they are needed. Bundlers find the modules by these imports. */
export const LANGUAGES = { en: () => import('./texts-en.js'), de: () => import('./texts-de.js'), es: () => import('./texts-es.js'), fr: () => import('./texts-fr.js'), ar: () => import('./texts-ar.js') };

/** The texts by language. @type {Record<string, Record<string, string>>} */
const catalogs = {};

const primary = language => language.split('-')[0].toLowerCase();

/** Uses these texts for a language instead of the shipped ones. */
export function useTexts(language, texts) {
  catalogs[primary(language)] = texts;
}

/** The shipped texts of a language, or those that the page uses instead. */
export async function catalogOf(tag) {
  const language = primary(tag);
  if (catalogs[language]) return catalogs[language];
  const { default: catalog } = await (LANGUAGES[language] ?? LANGUAGES.en)().catch(LANGUAGES.en);
  return (catalogs[language] = catalog);
}

/** Whether a value could change the direction of the text around it. */
const isForeign = value => typeof value === 'string' && (document.documentElement.dir === 'rtl' || /[\u0590-\u08ff]/.test(value));

const statusCode = (status = 0) => (status === 429 ? 'limited' : status >= 500 ? 'unavailable' : undefined);

/** The texts of one language by key, such as `signin.title`. Immutable. */
export class Texts {
  #catalog;
  #custom;

  /**
   * @param {string} language the tag, for Intl
   * @param {Record<string, string>} catalog
   * @param {Record<string, string>} [custom] replacements, by key or by the part of the key after the dot
   */
  constructor(language, catalog, custom = {}) {
    this.language = language;
    this.#catalog = catalog;
    this.#custom = custom;
  }

  /** @param {string} key @returns {string | undefined} */
  find(key) {
    return this.#custom[key] ?? this.#custom[key.slice(key.indexOf('.') + 1)] ?? this.#catalog[key];
  }

  /**
   * Returns a text as children for an element.
   * @param {string} key
   * @param {Record<string, any>} [values] a string or an element for each placeholder, such as `{user}`
   * @returns {any[]}
   */
  parts(key, values = {}) {
    const value = name => (isForeign(values[name]) ? `\u2068${values[name]}\u2069` : values[name]);
    return this.find(key).split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : value(part)));
  }

  /** @param {string} key @param {Record<string, string>} [values] @returns {string} */
  text(key, values) {
    return this.parts(key, values).join('');
  }

  /** Returns the message for an error of the helper or the service. @param {any} error @returns {string} */
  error({ problem, code, status }) {
    const isLogin = problem === undefined || problem === 'authentication_failed';
    const names = [problem, code === 'refused' && !isLogin ? 'rejected' : code, statusCode(status), 'unexpected'];
    return this.#custom[code] ?? names.map(name => this.find(`error.${name}`)).find(text => text !== undefined);
  }
}
