// SPDX-License-Identifier: Apache-2.0
// The Webhooks view: the endpoints that receive events, or one endpoint with its messages.

import { call, segment } from './console-api.js';
import { deliveryPanel } from './console-deliveries.js';
import { area, confirm, copyField, field, openForm, openNotice, textInput } from './console-dialog.js';
import { actionButtons, backLink, commandLine, doneMessage, loader, mainPanel, panel, table } from './console-panels.js';
import { linkLeft, linkTo } from './console-views.js';
import { byId, el } from './dom.js';
import { numberText, parts, text } from './texts.js';
import { timeOf } from './times.js';

const WEBHOOKS = '/admin/webhooks';
const show = loader(byId('webhooks'));

/** @param {string} webhookId */
const pathOf = (webhookId) => `${WEBHOOKS}/${segment(webhookId)}`;

/** @param {any} webhook @returns {HTMLElement} */
const badge = ({ enabled }) => el('span', { class: `badge ${enabled ? 'succeeded' : ''}` }, text(enabled ? 'console.webhooks.enabled' : 'console.webhooks.disabled'));

/** @param {string | undefined} error */
const errorText = (error) => (error === undefined ? '' : el('bdi', { class: 'bad-text', lang: 'en' }, error));

/** @param {any} webhook */
const row = (webhook) => el('tr', { 'data-webhook': webhook.webhookId },
  el('th', { scope: 'row' }, el('a', { href: linkTo('webhooks', webhook.webhookId), class: 'uri', dir: 'ltr' }, webhook.url)),
  el('td', { class: 'corner' }, badge(webhook)),
  el('td', { dir: 'ltr' }, webhook.events.join(', ')),
  el('td', { class: 'number' }, numberText(webhook.pending)),
  el('td', {}, errorText(webhook.lastError)));

/** @param {string} done what was done, to announce */
async function listView(done) {
  const { webhooks, types } = await call(WEBHOOKS);
  const columns = ['url', 'state', 'events', 'pending', 'lastError'].map((name) => text(`console.webhooks.${name}`));
  return [mainPanel('webhooks-title', [text('console.webhooks.title')],
    el('button', { type: 'button', id: 'add-webhook', class: webhooks.length === 0 ? 'small primary' : 'small', 'data-needs': 'manage', click: () => add(types) }, text('console.webhooks.add')),
    doneMessage(done),
    ...(webhooks.length === 0
      ? [el('p', {}, text('console.webhooks.none')), commandLine('./porchlight webhooks add https://hooks.example.com/porchlight')]
      : [table(columns, webhooks.map(row))]))];
}

/** @param {string} webhookId @param {string} done */
async function webhookView(webhookId, done) {
  const path = pathOf(webhookId);
  const webhook = await call(path);
  const reload = (/** @type {string} */ message) => showWebhook(webhookId, message);
  const change = (/** @type {unknown} */ body) => call(path, 'PATCH', body);
  const facts = { id: webhookId, events: webhook.events.join(', '), pending: numberText(webhook.pending) };
  return [
    backLink('webhooks', text('console.webhooks.back')),
    mainPanel('webhook-title', [webhook.url], badge(webhook),
      el('p', { class: 'soft' }, ...parts('console.clients.added', { time: timeOf(webhook.createdAt) })),
      doneMessage(done),
      ...actionButtons(
        [text('console.webhooks.test'), () => call(`${path}/test`, 'POST'), () => reload(text('console.webhooks.tested')), '', 'manage'],
        [text('console.webhooks.change'), async () => openSettings(text('console.webhooks.changeTitle'), (await call(WEBHOOKS)).types, webhook, change), () => reload(text('console.webhooks.changed')), '', 'manage'],
        [text(webhook.enabled ? 'console.webhooks.disable' : 'console.webhooks.enable'), () => change({ enabled: !webhook.enabled }), () => reload(text('console.webhooks.changed')), '', 'manage'],
        [text('console.clients.rotate'), () => rotate(path), () => reload(text('console.webhooks.rotated')), '', 'own'],
        [text('console.clients.remove'), () => remove(path), removed, '', 'manage'])),
    panel('webhook-settings-title', text('console.clients.settings'), el('dl', { class: 'facts settings-list' },
      ...Object.entries(facts).flatMap(([name, value]) => [el('dt', {}, text(`console.webhooks.${name}`)), el('dd', { dir: 'ltr', class: 'uri', [`data-${name}`]: '' }, value)]),
      ...(webhook.lastError === undefined ? [] : [el('dt', {}, text('console.webhooks.lastError')), el('dd', {}, errorText(webhook.lastError))]))),
    deliveryPanel(path, webhook, reload),
  ];
}

/** Opens the form for an endpoint's settings. @param {string} title @param {string[]} types the types of events @param {{ url?: string, events: string[] }} webhook @param {(settings: unknown) => Promise<unknown>} work */
function openSettings(title, types, webhook, work) {
  const url = textInput({ type: 'url', required: true, maxlength: 2048, dir: 'ltr', value: webhook.url ?? '' });
  const events = area(webhook.events);
  return openForm({
    title,
    content: [
      field('webhook-url', text('console.webhooks.url'), url, text('console.webhooks.urlHint')),
      field('webhook-events', text('console.webhooks.events'), events, text('console.webhooks.eventsHint')),
      el('p', { class: 'hint', id: 'webhook-types', dir: 'ltr' }, types.join(', ')),
    ],
    label: text('console.webhooks.save'),
    isComplete: () => url.value.trim() !== '' && events.value.trim() !== '',
    work: () => work({ url: url.value.trim(), events: events.value.split(/[\s,]+/).filter(Boolean) }),
  });
}

/** @param {string[]} types */
async function add(types) {
  const added = await openSettings(text('console.webhooks.addTitle'), types, { events: ['*'] }, (settings) => call(WEBHOOKS, 'POST', settings));
  if (added) {
    await showSecret(added);
    location.hash = linkTo('webhooks', added.webhookId);
  }
}

/** @param {string} path */
async function rotate(path) {
  const rotated = await confirm(text('console.webhooks.rotateTitle'), text('console.webhooks.rotateText'), text('console.clients.rotateButton'), () => call(`${path}/rotate-secret`, 'POST'));
  if (rotated) {
    await showSecret(rotated);
  }
  return rotated;
}

/** Shows a secret once. @param {{ secret: string }} webhook */
async function showSecret({ secret }) {
  await openNotice(text('console.webhooks.secretTitle'), copyField('webhook-secret', text('console.webhooks.secret'), secret), el('p', {}, text('console.webhooks.secretOnce')));
  byId('dialog').replaceChildren(); // the secret does not stay in the page
}

/** @param {string} path */
const remove = (path) => confirm(text('console.webhooks.removeTitle'), text('console.webhooks.removeText'), text('console.webhooks.removeButton'), () => call(path, 'DELETE'));

function removed() {
  history.replaceState(null, '', linkTo('webhooks'));
  show(() => listView(text('console.webhooks.removed')), '#webhooks-title');
}

/** @param {string} webhookId @param {string} [done] */
const showWebhook = (webhookId, done = '') => show(() => webhookView(webhookId, done), '#webhook-title');

/** @param {string} webhookId empty for the list @param {string} left */
export const showWebhooks = (webhookId, left) => (webhookId === '' ? show(() => listView(''), linkLeft('webhooks', left)) : showWebhook(webhookId));
