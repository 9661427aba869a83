// SPDX-License-Identifier: Apache-2.0
// Messages of the outbox: by state, with their errors, to send them again.

import { call, query, segment, textOf } from './console-api.js';
import { field } from './console-dialog.js';
import { errorMessage, pagedTable, panel } from './console-panels.js';
import { linkTo } from './console-views.js';
import { el } from './dom.js';
import { lang, numberText, parts, text } from './texts.js';
import { timeOf } from './times.js';

/** The API's default, which the first page has. */
const PAGE_SIZE = 50;
/** The class of the badge by state. @type {Record<string, string>} */
const BADGES = { pending: 'abandoned', delivered: 'succeeded', failed: 'refused' };
/** Milliseconds between looks at messages without a result. */
const LOOK_MS = 1000;

/** @typedef {import('openapi').Delivery} Delivery */
/** @typedef {{ pending: number, deliveries: Delivery[], next?: string }} Page */

/**
 * The messages to a target.
 * @param {string} path of the target in the API, whose response has the first page
 * @param {Page} first @param {(done: string) => void} reload
 */
export function deliveryPanel(path, first, reload) {
  const option = (/** @type {string} */ value, /** @type {string} */ label) => el('option', { value }, label);
  const state = el('select', { change: () => load().then(show, (error) => content.replaceChildren(errorMessage(error))) },
    option('', text('console.outbox.all')), ...Object.keys(BADGES).map((name) => option(name, text(`console.outbox.${name}`))));
  const load = (/** @type {string} */ after = '') => call(path + query({ state: state.value || undefined, after: after || undefined, limit: PAGE_SIZE }));
  const columns = ['time', 'type', 'state', 'attempts', 'details', 'action'].map((name) => text(`console.outbox.${name}`));
  const content = el('div', { class: 'stack' });
  const show = (/** @type {Page} */ page) => {
    content.closest('.view')?.querySelector('[data-pending]')?.replaceChildren(numberText(page.pending));
    const { list, more, status } = pagedTable(columns, page, ({ deliveries }) => deliveries.map((delivery) => deliveryRow(path, delivery, reload)), load);
    content.replaceChildren(...(page.deliveries.length === 0
      ? [el('p', { class: 'soft', role: 'status' }, text('console.outbox.none'))]
      : [el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-labelledby': 'deliveries-title' }, list), status, el('div', {}, more)]));
    if (page.deliveries.some(({ state: now, lastError }) => now === 'pending' && lastError === undefined)) {
      setTimeout(look, LOOK_MS);
    }
  };
  /** Shows the result of a message without a click, unless it would move the focus. */
  const look = () => {
    const later = () => setTimeout(look, LOOK_MS);
    if (content.contains(document.activeElement)) {
      later();
    } else if (content.offsetParent !== null) { // not after the view was left
      load().then((page) => (content.contains(document.activeElement) ? later() : show(page)), () => {});
    }
  };
  show(first);
  return panel('deliveries-title', text('console.outbox.title'), el('div', { class: 'filter' }, field('delivery-state', text('console.outbox.state'), state)), content);
}

/** @param {number} time @returns {Node | string} */
function soon(time) {
  const seconds = Math.max(1, Math.round((time - Date.now()) / 1000));
  return seconds < 60 ? new Intl.RelativeTimeFormat(lang).format(seconds, 'second') : timeOf(time);
}

/** @param {string} path @param {Delivery} delivery @param {(done: string) => void} reload */
function deliveryRow(path, { deliveryId, type, to, userId, state, attempts, createdAt, nextAttemptAt, deliveredAt, lastError }, reload) {
  const details = el('td', {},
    to === undefined ? undefined : el('p', { dir: 'ltr' }, userId ? el('a', { href: linkTo('users', userId) }, to) : to),
    ...(nextAttemptAt === undefined || lastError === undefined ? [] : parts('console.outbox.next', { time: soon(nextAttemptAt) })),
    ...(deliveredAt === undefined ? [] : [timeOf(deliveredAt)]),
    lastError === undefined ? undefined : el('p', { class: 'bad-text', lang: 'en' }, el('bdi', {}, lastError)));
  const again = el('button', {
    type: 'button', class: 'small', 'data-needs': 'manage', 'aria-label': text('console.outbox.againLabel', { type }),
    click: async () => {
      again.disabled = true;
      try {
        await call(`${path}/deliveries/${segment(deliveryId)}/redeliver`, 'POST');
        reload(text('console.outbox.wasSentAgain'));
      } catch (error) {
        details.replaceChildren(el('p', { class: 'bad-text', role: 'alert' }, textOf(error)));
        again.disabled = false;
      }
    },
  }, text('console.outbox.again'));
  return el('tr', { 'data-delivery': deliveryId, 'data-state': state },
    el('td', {}, timeOf(createdAt)),
    el('th', { scope: 'row', dir: 'ltr' }, type),
    el('td', { class: 'corner' }, el('span', { class: `badge ${BADGES[state]}` }, text(`console.outbox.${state}`))),
    el('td', { class: 'number' }, numberText(attempts)),
    details,
    // The content of mails, and of messages about an erasure, is deleted after the delivery.
    el('td', {}, state === 'pending' || (state === 'delivered' && (deliveryId.startsWith('mail_') || type.endsWith('.erased'))) ? '' : again));
}
