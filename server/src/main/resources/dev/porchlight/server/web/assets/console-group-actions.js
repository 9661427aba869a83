// SPDX-License-Identifier: Apache-2.0
// What an operator can do with a group.

import { ApiError, call, segment } from './console-api.js';
import { confirm, field, openForm, textInput, userInput } from './console-dialog.js';
import { byId } from './dom.js';
import { text } from './texts.js';

/** @param {string} group @param {string} [userId] */
const path = (group, userId) => `/admin/groups/${segment(group)}${userId === undefined ? '' : `/${segment(userId)}`}`;

/** @param {string} group @param {string} user */
async function join(group, user) {
  try {
    await call(path(group, user), 'POST');
  } catch (error) {
    throw error instanceof ApiError && error.status === 404 ? new Error(text('console.groups.unknownUser', { user })) : error;
  }
}

/** Adds a user to a group, which is created with its first member. @param {string} [group] asked for if absent @param {string} [userId] asked for if absent @returns {Promise<{ group: string, user: string } | undefined>} */
export async function addMember(group, userId) {
  const name = textInput({ pattern: byId('console').dataset.groupPattern, required: true, dir: 'ltr' });
  const user = userInput({ required: true, dir: 'auto' });
  const chosen = () => group ?? name.value.trim();
  const member = () => userId ?? user.value.trim();
  const done = await openForm({
    title: userId !== undefined ? text('console.groups.addUserTitle', { user: userId }) : group === undefined ? text('console.groups.addTitle') : text('console.groups.addTo', { group }),
    content: [
      ...(group === undefined ? [field('group-name', text('console.groups.group'), name, text('console.groups.groupHint'))] : []),
      ...(userId === undefined ? [field('group-user', text('console.groups.user'), user, text('console.groups.userHint'))] : []),
    ],
    label: text('console.groups.addButton'),
    isComplete: () => chosen() !== '' && member() !== '',
    work: () => join(chosen(), member()),
  });
  return done ? { group: chosen(), user: member() } : undefined;
}

/** @param {string} group @param {string} user */
export const removeMember = (group, user) => confirm(text('console.groups.removeTitle', { user, group }), text('console.groups.removeText'), text('console.groups.removeButton'),
  () => call(path(group, user), 'DELETE'));

/** @param {string} group @returns {Promise<boolean>} */
export const removeGroup = async (group) => call(path(group), 'DELETE').then(() => true);

/** @returns {Promise<import('openapi').Groups['groups']>} */
export const listGroups = async () => (await call('/admin/groups')).groups;

/** @param {string} group @returns {Promise<string[]>} */
export const listMembers = async (group) => (await call(path(group))).members;
