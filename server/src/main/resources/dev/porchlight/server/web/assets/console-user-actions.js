// SPDX-License-Identifier: Apache-2.0
// What an operator can do with a user. Each action asks first, except unlocking.

import { call, segment } from './console-api.js';
import { confirm, copyField, field, openForm, openNotice, userInput } from './console-dialog.js';
import { el } from './dom.js';
import { lang, text } from './texts.js';

/** @type {[number, string, number][]} seconds, unit and number of units */
const LIFETIMES = [[600, 'minute', 10], [3600, 'hour', 1], [86400, 'hour', 24], [259200, 'day', 3], [604800, 'day', 7]];
const dateFormat = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });

/** @param {string} userId @param {string} [more] @returns {string} */
const path = (userId, more = '') => `/admin/users/${segment(userId)}${more}`;

/** @param {string} userId @returns {Promise<import('openapi').UserDetails>} */
export const readUser = async (userId) => call(path(userId));

/** @param {string} userId */
export const lock = (userId) => confirm(text('console.lock.title', { user: userId }), text('console.lock.text'), text('console.lock.button'),
  () => call(path(userId, '/lock'), 'POST'));

/** @param {string} userId @returns {Promise<boolean>} */
export const unlock = async (userId) => call(path(userId, '/unlock'), 'POST').then(() => true);

/** @param {string} userId */
export const signOut = (userId) => confirm(text('console.signOut.title', { user: userId }), text('console.signOut.text'), text('account.everywhere'),
  () => call(path(userId, '/sign-out'), 'POST'));

/** @param {string} userId @param {{ credentialId: string, title: string }} passkey @param {boolean} last whether the user has no other */
export const removePasskey = (userId, { credentialId, title }, last) => confirm(text('account.removeTitle', { passkey: title }),
  text(last ? 'console.remove.last' : 'console.remove.text', { user: userId }), text('account.remove'),
  () => call(path(userId, `/passkeys/${segment(credentialId)}${last ? '?force=true' : ''}`), 'DELETE'));

/** @param {string} userId */
export const removeCodes = (userId) => confirm(text('console.codes.title', { user: userId }), text('console.codes.text'), text('account.remove'),
  () => call(path(userId, '/recovery-codes'), 'DELETE'));

/** @param {string} userId */
export function erase(userId) {
  const typed = userInput();
  return openForm({
    title: text('console.erase.title', { user: userId }),
    content: [
      text('console.erase.text'),
      field('confirm-erase', text('console.erase.confirm', { user: userId }), typed),
    ],
    label: text('console.erase.button'),
    style: 'danger',
    isComplete: () => typed.value.normalize() === userId.normalize(),
    work: () => call(path(userId), 'DELETE'),
  });
}

/** Issues an enrollment link and shows it once. @param {string} [userId] asked for if absent */
export async function invite(userId) {
  const name = userInput({ required: true });
  const lifetime = el('select', {}, ...LIFETIMES.map(([seconds, unit, count]) =>
    el('option', { value: seconds }, count.toLocaleString(lang, { style: 'unit', unit, unitDisplay: 'long' }))));
  const issued = await openForm({
    title: userId === undefined ? text('console.invite.title') : text('console.invite.titleFor', { user: userId }),
    content: [
      text('console.invite.text'),
      ...(userId === undefined ? [field('invite-user', text('console.invite.user'), name, text('console.invite.hint'))] : []),
      field('invite-lifetime', text('console.invite.lifetime'), lifetime),
    ],
    label: text('console.invite.button'),
    isComplete: () => userId !== undefined || name.value.trim() !== '',
    work: () => call('/admin/enrollments', 'POST', { userId: userId ?? name.value.trim(), ttlSeconds: Number(lifetime.value) }),
  });
  if (issued) {
    await openNotice(text('console.invite.titleFor', { user: userId ?? name.value.trim() }),
      copyField('invite-link', text('console.invite.link'), issued.url),
      el('p', { class: 'soft' }, text('console.invite.until', { time: dateFormat.format(issued.expiresAt) })),
      ...(issued.locked ? [el('p', { class: 'message warn' }, text('console.invite.locked'))] : []),
      el('p', {}, text('console.invite.warning')));
  }
  return issued;
}
