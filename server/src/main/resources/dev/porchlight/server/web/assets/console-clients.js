// SPDX-License-Identifier: Apache-2.0
// The Clients view: a list, or one client.

import { allowed, badges, clientView } from './console-client.js';
import { addClient, listClients } from './console-client-actions.js';
import { commandLine, doneMessage, loader, mainPanel, table } from './console-panels.js';
import { linkLeft, linkTo } from './console-views.js';
import { byId, el } from './dom.js';
import { text } from './texts.js';
import { timeOf } from './times.js';

const show = loader(byId('clients'));

/** @param {any} client */
const clientRow = (client) => el('tr', { 'data-client': client.clientId },
  el('th', { scope: 'row' }, el('a', { href: linkTo('clients', client.clientId), dir: 'auto' }, client.name),
    client.name === client.clientId ? undefined : el('span', { class: 'soft display-name uri', dir: 'ltr' }, client.clientId)),
  el('td', { class: 'corner' }, el('div', { class: 'badges' }, ...badges(client))),
  el('td', {}, ...allowed(client.groups)),
  el('td', {}, client.lastLoginAt === undefined ? el('span', { class: 'soft' }, text('console.users.never')) : timeOf(client.lastLoginAt)));

/** @param {string} done what was done, to announce */
async function listView(done) {
  const clients = await listClients();
  return [mainPanel('clients-title', [text('console.clients.title')],
    el('button', { type: 'button', id: 'add-client', class: clients.length === 0 ? 'small primary' : 'small', 'data-needs': 'manage', click: add }, text('console.clients.add')),
    doneMessage(done),
    ...(clients.length === 0
      ? [el('p', {}, text('console.clients.none')), commandLine('./porchlight clients add grafana --redirect-uri https://grafana.example.com/login/generic_oauth')]
      : [table([text('console.clients.client'), text('console.clients.kind'), text('console.clients.allowed'), text('console.users.lastSignIn')], clients.map(clientRow))]))];
}

async function add() {
  const clientId = await addClient();
  if (clientId !== undefined) {
    location.hash = linkTo('clients', clientId);
  }
}

/** @param {string} clientId @param {string} [done] */
function showClient(clientId, done = '') {
  const events = {
    reload: (/** @type {string} */ message) => showClient(clientId, message),
    removed: (/** @type {string} */ client) => {
      history.replaceState(null, '', linkTo('clients'));
      show(() => listView(text('console.clients.removed', { client })), '#clients-title');
    },
  };
  show(() => clientView(clientId, done, events), '#client-title');
}

/** @param {string} clientId empty for the list @param {string} left */
export const showClients = (clientId, left) => (clientId === '' ? show(() => listView(''), linkLeft('clients', left)) : showClient(clientId));
