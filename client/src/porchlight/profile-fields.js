// SPDX-License-Identifier: Apache-2.0
// The fields of a profile: those that a sign-up asks for, and those of the account.

import { el } from './dom.js';
import { LANGUAGES } from './texts.js';

/** The text and the attributes of each field, by member. @type {Record<string, [string, Record<string, unknown>]>} */
const FIELDS = {
  name: ['profile.name', { autocomplete: 'name', maxlength: 128, dir: 'auto' }],
  givenName: ['profile.givenName', { autocomplete: 'given-name', maxlength: 128, dir: 'auto' }],
  familyName: ['profile.familyName', { autocomplete: 'family-name', maxlength: 128, dir: 'auto' }],
  email: ['profile.email', { type: 'email', autocomplete: 'email', maxlength: 254, dir: 'ltr' }],
  locale: ['profile.locale', {}],
  picture: ['profile.picture', { type: 'url', autocomplete: 'photo', maxlength: 512, pattern: 'https://.*', dir: 'ltr' }],
};

/** The members in the order of the page. */
export const MEMBERS = Object.keys(FIELDS);

/** @typedef {import('./element.js').PorchlightElement} Host */

/** @param {Host} host @param {string} member */
export const labelOf = (host, member) => host.text(FIELDS[member][0]);

/** @param {Host} host @param {string} tag @returns {string} the name of a language, such as `German (Austria)` */
export const languageName = (host, tag) => new Intl.DisplayNames([host.language], { type: 'language' }).of(tag) ?? tag;

/**
 * Creates a field with its label and a hint for errors.
 * @param {Host} host
 * @param {string} member
 * @param {{ value?: string, required?: boolean, optional?: boolean }} [options] whether it may be empty; an optional one says so
 */
export function profileField(host, member, { value = '', required, optional } = {}) {
  const id = `profile-${member}`;
  const [key, attributes] = FIELDS[member];
  const hint = el('p', { id: `${id}-hint`, class: 'hint', part: 'hint' });
  const shared = {
    id, part: 'input', required, 'data-member': member, 'aria-describedby': hint.id,
    input: ({ target }) => {
      target.removeAttribute('aria-invalid');
      hint.textContent = '';
    },
  };
  const input = member === 'locale' ? el('select', shared, ...languages(host, value)) : el('input', { type: 'text', ...attributes, ...shared, value });
  const label = optional ? host.text('profile.optional', { label: host.text(key) }) : host.text(key);
  return el('div', { class: 'field' }, el('label', { for: id, part: 'label' }, label), input, hint);
}

/** @param {Host} host @param {string} value */
function languages(host, value) {
  const tags = new Set([...Object.keys(LANGUAGES), host.language, value].filter(Boolean));
  const option = (tag, name) => el('option', { value: tag, selected: tag === value }, name);
  return [option('', '–'), ...[...tags].map(tag => option(tag, languageName(host, tag)))];
}

/**
 * Returns what was typed, by member. Shows what is invalid, focuses the first such field, and returns undefined.
 * @param {Host} host
 * @param {HTMLElement} form
 * @returns {Record<string, string> | undefined}
 */
export function readFields(host, form) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('[data-member]')]);
  for (const input of inputs) {
    input.value = input.value.trim();
    if (input.validity.valid) continue;
    input.setAttribute('aria-invalid', 'true');
    const { value, id } = input;
    host.find(`#${id}-hint`).textContent = host.text(value === '' ? 'profile.missing' : input.type === 'email' ? 'profile.invalidEmail' : 'profile.invalidPicture');
  }
  const invalid = inputs.find(input => !input.validity.valid);
  invalid?.focus();
  return invalid ? undefined : Object.fromEntries(inputs.map(({ dataset, value }) => [dataset.member, value]));
}
