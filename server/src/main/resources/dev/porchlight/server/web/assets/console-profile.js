// SPDX-License-Identifier: Apache-2.0
// The profile of a user in the console, and the form that changes it.

import { call, segment } from './console-api.js';
import { area, checkBox, field, openForm, textInput } from './console-dialog.js';
import { actionButtons, panel } from './console-panels.js';
import { byId, el } from './dom.js';
import { text } from './texts.js';

/** The members that are texts, with the labels and attributes of their fields. @type {[string, string, Record<string, unknown>][]} */
const MEMBERS = [
  ['name', text('profile.name'), { maxlength: 128 }],
  ['givenName', text('profile.givenName'), { maxlength: 128 }],
  ['familyName', text('profile.familyName'), { maxlength: 128 }],
  ['email', text('profile.email'), { type: 'email', maxlength: 254, dir: 'ltr' }],
  ['locale', text('profile.locale'), { maxlength: 35, dir: 'ltr' }],
  ['picture', text('profile.picture'), { type: 'url', maxlength: 512, pattern: 'https://.*', dir: 'ltr' }],
];

/** @param {any} user @param {{ reload: (done: string) => void }} events */
export function profilePanel(user, { reload }) {
  /** @type {[string, string][]} */
  const rows = [
    ...MEMBERS.map(([member, label]) => /** @type {[string, string]} */ ([label, user[member]])),
    ...Object.entries(user.claims ?? {}).map(([name, value]) => /** @type {[string, string]} */ ([name, Array.isArray(value) ? value.join(', ') : String(value)])),
  ].filter(([, value]) => value !== undefined);
  return panel('user-profile-title', text('profile.title'),
    rows.length === 0 ? text('console.profile.none') : el('dl', { class: 'facts settings-list', id: 'user-profile' }, ...rows.flatMap(([name, value]) => [
      el('dt', {}, name), el('dd', { dir: 'auto' }, value, ...(value === user.email ? [' ', verifiedBadge(user)] : []))])),
    ...actionButtons([text('profile.change'), () => change(user), () => reload(text('profile.changed')), '', 'manage']));
}

/** @param {any} user */
const verifiedBadge = ({ emailVerified }) =>
  el('span', { class: `badge ${emailVerified ? 'succeeded' : ''}` }, text(emailVerified ? 'profile.verified' : 'profile.notVerified'));

/** @param {any} user @returns {Promise<unknown>} */
function change(user) {
  const inputs = MEMBERS.map(([member, , attributes]) => textInput({ value: user[member] ?? '', dir: 'auto', ...attributes }));
  const claims = area(Object.entries(user.claims ?? {}).map(([name, value]) => `${name}=${written(value)}`), { class: 'claims' });
  const fields = MEMBERS.map(([member, label], i) => field(`profile-${member}`, label, inputs[i]));
  fields.splice(4, 0, checkBox('profile-verified', text('profile.verified'), text('console.profile.verifiedHint'), user.emailVerified));
  return openForm({
    title: text('console.profile.changeTitle', { user: user.userId }),
    content: [...fields, field('profile-claims', text('console.profile.claims'), claims, text('console.profile.claimsHint'))],
    label: text('profile.save'),
    work: async () => {
      const changes = changed(user, inputs.map((input) => input.value.trim()), byId('profile-verified').checked, claimsOf(claims.value));
      return Object.keys(changes).length === 0 ? true : call(`/admin/users/${segment(user.userId)}`, 'PATCH', changes);
    },
  });
}

/** What the operator changed: the rest stays as another operator may have set it. @param {any} user @param {string[]} values @param {boolean} verified @param {Record<string, unknown>} claims */
function changed(user, values, verified, claims) {
  const before = user.claims ?? {};
  const set = Object.entries(claims).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
  const removed = Object.keys(before).filter((name) => !(name in claims)).map((name) => [name, null]);
  return {
    ...Object.fromEntries(MEMBERS.flatMap(([member], i) => (values[i] === (user[member] ?? '') ? [] : [[member, values[i] || null]]))),
    ...(verified === (user.emailVerified ?? false) && (user.email ?? '') === values[3] ? {} : { emailVerified: verified }),
    ...(set.length + removed.length === 0 ? {} : { claims: Object.fromEntries([...set, ...removed]) }),
  };
}

/** What reads as another type in JSON is quoted. @param {unknown} value */
const written = (value) => (typeof value === 'string' && typeof parsed(value) === 'string' && parsed(value) === value ? value : JSON.stringify(value));

/** @param {string} value @returns {unknown} an integer, a boolean, an array or a string */
function parsed(value) {
  try {
    return /^(-?\d+$|true$|false$|["[])/.test(value) ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

/** @param {string} value a claim per line @returns {Record<string, unknown>} */
const claimsOf = (value) => Object.fromEntries(value.split('\n').filter((line) => line.trim() !== '').map((line) => {
  const [name, ...rest] = line.split('=');
  return [name.trim(), parsed(rest.join('=').trim())];
}));
