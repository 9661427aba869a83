// SPDX-License-Identifier: Apache-2.0
// The Groups view: a list, or the members of one group.

import { may } from './console-api.js';
import { listClients } from './console-client-actions.js';
import { addMember, listGroups, listMembers, removeGroup, removeMember } from './console-group-actions.js';
import { actionButtons, backLink, commandLine, doneMessage, links, listPanel, loader, mainPanel, table } from './console-panels.js';
import { linkLeft, linkTo } from './console-views.js';
import { byId, el } from './dom.js';
import { numberText, plural, text } from './texts.js';

const show = loader(byId('groups'));

async function listView() {
  const groups = await listGroups();
  const add = async () => {
    const added = await addMember();
    if (added) {
      location.hash = linkTo('groups', added.group);
    }
  };
  return [mainPanel('groups-title', [text('console.groups.title')],
    el('button', { type: 'button', id: 'add-member', class: groups.length === 0 ? 'small primary' : 'small', 'data-needs': 'manage', click: add }, text('console.groups.add')),
    ...(groups.length === 0
      ? [el('p', {}, text('console.groups.none')), commandLine('./porchlight groups add staff ada')]
      : [table([text('console.groups.group'), text('console.groups.members')], groups.map((/** @type {any} */ { group, members }) =>
        el('tr', { 'data-group': group },
          el('th', { scope: 'row' }, el('a', { href: linkTo('groups', group), dir: 'auto' }, group)),
          el('td', {}, numberText(members)))))]))];
}

/** @param {string} group @param {string} done what was done, to announce */
async function groupView(group, done) {
  const [members, clients] = await Promise.all([listMembers(group), may('settings') ? listClients() : []]);
  const limited = clients.filter((client) => client.groups.includes(group));
  const add = async () => {
    const added = await addMember(group);
    if (added) {
      showGroup(group, text('console.groups.wasAdded', added));
    }
  };
  const remove = async (/** @type {string} */ user) => {
    if (await removeMember(group, user)) {
      showGroup(group, text('console.groups.wasRemoved', { user, group }));
    }
  };
  const memberItem = (/** @type {string} */ user) => el('li', { 'data-user': user },
    el('a', { href: linkTo('users', user), dir: 'auto' }, user),
    el('button', { type: 'button', class: 'small', 'data-needs': 'manage', 'aria-label': text('console.groups.removeLabel', { user }), click: () => remove(user) }, text('console.groups.remove')));
  return [
    backLink('groups', text('console.groups.back')),
    mainPanel('group-title', [group],
      el('button', { type: 'button', class: 'small', 'data-needs': 'manage', click: add }, text('console.groups.add')),
      doneMessage(done),
      ...(members.length === 0 ? actionButtons([text('console.groups.delete'), () => removeGroup(group), () => { location.hash = linkTo('groups'); }, '', 'manage']) : []),
      el('p', { class: 'soft', 'data-needs': 'settings' }, ...(limited.length === 0 ? [text('console.groups.limitsNothing')]
        : [text('console.groups.limits'), ' ', ...links('clients', limited.map(({ clientId, name }) => ({ item: clientId, label: name })))]))),
    listPanel('group-members', plural('console.groups.memberCount', members.length), members, memberItem, text('console.groups.noMembers')),
  ];
}

/** @param {string} group @param {string} [done] */
function showGroup(group, done = '') {
  show(() => groupView(group, done), '#group-title');
}

/** @param {string} group empty for the list @param {string} left */
export const showGroups = (group, left) => (group === '' ? show(listView, linkLeft('groups', left)) : showGroup(group));
