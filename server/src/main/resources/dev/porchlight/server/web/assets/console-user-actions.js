// SPDX-License-Identifier: Apache-2.0
// What an operator can do with a user. Each action asks first, except unlocking.

import { call, segment } from './console-api.js';
import { copyField, field, openForm, openNotice, textInput } from './console-dialog.js';
import { el } from './dom.js';

const LIFETIMES = { '10 minutes': 600, '1 hour': 3600, '24 hours': 86400, '3 days': 259200, '7 days': 604800 };

/** @param {string} userId @param {string} [path] @returns {string} */
const path = (userId, path = '') => `/admin/users/${segment(userId)}${path}`;

/** @param {string} userId @returns {Promise<any>} */
export const readUser = async (userId) => call(path(userId));

/** @param {string} userId */
export const lock = (userId) => openForm({
  title: `Lock ${userId}?`,
  content: ['They are signed out everywhere and can’t sign in until you unlock them. Their enrollment links end, too.'],
  label: 'Lock',
  style: 'danger',
  work: () => call(path(userId, '/lock'), 'POST'),
});

/** @param {string} userId */
export const unlock = async (userId) => call(path(userId, '/unlock'), 'POST');

/** @param {string} userId */
export const signOut = (userId) => openForm({
  title: `Sign out ${userId}?`,
  content: ['All their sessions, tokens and enrollment links end now. They can sign in again with a passkey.'],
  label: 'Sign out everywhere',
  style: 'danger',
  work: () => call(path(userId, '/sign-out'), 'POST'),
});

/** @param {string} userId @param {{ credentialId: string, title: string }} passkey @param {boolean} last whether the user has no other */
export const removePasskey = (userId, { credentialId, title }, last) => openForm({
  title: `Remove ${title}?`,
  content: [last
    ? `This is the last passkey of ${userId}. Without it they can’t sign in, and need an enrollment link.`
    : `${userId} can’t sign in with it anymore. Sessions and tokens from it end now.`],
  label: 'Remove',
  style: 'danger',
  work: () => call(path(userId, `/passkeys/${segment(credentialId)}${last ? '?force=true' : ''}`), 'DELETE'),
});

/** @param {string} userId */
export function erase(userId) {
  const typed = textInput({ maxlength: 256 });
  return openForm({
    title: `Erase ${userId}?`,
    content: [
      'This deletes their passkeys, sessions and personal data, and replaces their name in the audit log. The name stays taken. This can’t be undone.',
      field('confirm-erase', `Type ${userId} to confirm`, typed),
    ],
    label: 'Erase user',
    style: 'danger',
    isComplete: () => typed.value.normalize() === userId.normalize(),
    work: () => call(path(userId), 'DELETE'),
  });
}

/** Issues an enrollment link and shows it once. @param {string} [userId] asked for if absent */
export async function invite(userId) {
  const name = textInput({ maxlength: 256, required: true });
  const lifetime = el('select', {}, ...Object.entries(LIFETIMES).map(([label, seconds]) => el('option', { value: seconds }, label)));
  /** @type {any} */
  let issued;
  const done = await openForm({
    title: userId === undefined ? 'New enrollment link' : `Enrollment link for ${userId}`,
    content: [
      'With the link, a person can register one passkey and is signed in.',
      ...(userId === undefined ? [field('invite-user', 'User name', name, 'A new user, or one who needs another passkey.')] : []),
      field('invite-lifetime', 'Valid for', lifetime),
    ],
    label: 'Create link',
    isComplete: () => userId !== undefined || name.value.trim() !== '',
    work: async () => {
      issued = await call('/admin/enrollments', 'POST', { userId: userId ?? name.value.trim(), ttlSeconds: Number(lifetime.value) });
    },
  });
  if (done) {
    await openNotice(`Enrollment link for ${userId ?? name.value.trim()}`,
      copyField('invite-link', 'Link', issued.url),
      el('p', { class: 'soft' }, `Works once, until ${new Date(issued.expiresAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}. It isn’t shown again.`),
      el('p', {}, 'Anyone with the link can register as this user. Send it over a trusted channel.'));
  }
  return done;
}
