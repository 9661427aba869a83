// SPDX-License-Identifier: Apache-2.0
// The Clients view: a list, or one client.

import { allowed, badges, clientView } from './console-client.js';
import { addClient, listClients } from './console-client-actions.js';
import { commandLine, loader, table } from './console-panels.js';
import { addView, linkLeft, linkTo } from './console-views.js';
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
  return [el('section', { class: 'card panel', 'aria-labelledby': 'clients-title' },
    el('div', { class: 'between' },
      el('h2', { id: 'clients-title', tabindex: -1 }, text('console.clients.title')),
      el('button', { type: 'button', id: 'add-client', class: clients.length === 0 ? 'small primary' : 'small', click: add }, text('console.clients.add'))),
    el('div', { class: 'message good', role: 'status' }, ...(done === '' ? [] : [done])),
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
function showClient(clientId, done) {
  show(() => clientView(clientId, {
    done,
    reload: (message) => showClient(clientId, message),
    removed: (name) => {
      history.replaceState(null, '', linkTo('clients'));
      show(() => listView(text('console.clients.removed', { client: name })), '#clients-title');
    },
  }), '#client-title');
}

addView('clients', (clientId, left) => {
  if (clientId === '') {
    show(() => listView(''), linkLeft('clients', left));
  } else {
    showClient(clientId);
  }
});
