// SPDX-License-Identifier: Apache-2.0
// One passkey as its owner sees it. What its buttons ask for goes up as the events passkey-rename and passkey-remove.

import { el } from './dom.js';
import { icon } from './icons.js';
import { isOnSecurityKey } from './safety.js';
import { timeOf } from './times.js';

/**
 * @typedef {{ credentialId: string, name?: string, aaguid?: string, transports: string[], backupEligible?: boolean,
 *   backedUp?: boolean, createdAt?: number, lastUsedAt?: number }} Passkey
 */

/** @type {Record<string, string>} */
let providers = {};

/** Loads who makes passkeys. Without it the cards say "Passkey": it is for recognition, nothing depends on it. */
export async function loadProviders() {
  const response = await fetch('/assets/providers.json').catch(() => undefined);
  providers = response?.ok ? await response.json() : {};
}

/** @param {Passkey} passkey @returns {string} what it is called: its own name, or its provider's */
export const titleOf = (passkey) => passkey.name ?? providers[passkey.aaguid ?? ''] ?? 'Passkey';

/** @param {Passkey} passkey @returns {HTMLLIElement} */
export function passkeyCard(passkey) {
  const provider = providers[passkey.aaguid ?? ''];
  const title = titleOf(passkey);
  const heading = el(
    'div',
    { class: 'name' },
    el('h2', {}, title),
    provider && provider !== title ? el('p', { class: 'soft provider' }, provider) : undefined,
  );
  const renaming = el('button', { type: 'button', class: 'small rename', 'aria-label': `Rename ${title}` }, icon('pencil'), 'Rename');
  const removing = el('button', { type: 'button', class: 'small remove', 'aria-label': `Remove ${title}` }, icon('bin'), 'Remove');
  const card = el(
    'li',
    { class: 'card passkey', 'data-credential-id': passkey.credentialId },
    el('div', { class: 'top' }, el('span', { class: 'tile' }, icon(isOnSecurityKey(passkey) ? 'key' : 'passkey')), heading),
    el('div', { class: 'facts' }, syncedBadge(passkey), ...times(passkey)),
    el('div', { class: 'ways' }, renaming, removing),
  );
  renaming.addEventListener('click', () => edit(heading, passkey, renaming));
  removing.addEventListener('click', () => ask(card, 'passkey-remove', passkey));
  return card;
}

/** @param {HTMLElement} from @param {string} what @param {unknown} detail */
const ask = (from, what, detail) => from.dispatchEvent(new CustomEvent(what, { bubbles: true, detail }));

/** @param {Passkey} passkey */
function syncedBadge({ backupEligible, backedUp }) {
  if (backedUp === undefined) {
    return undefined;
  }
  if (backedUp) {
    return el('p', { class: 'badge synced' }, icon('cloud'), 'Synced');
  }
  return el('p', { class: 'badge' }, icon('device'), backupEligible ? 'Not synced yet' : 'This device only');
}

/** @param {Passkey} passkey */
function times({ createdAt, lastUsedAt }) {
  return [
    createdAt === undefined ? undefined : el('p', { class: 'soft created' }, 'Created ', timeOf(createdAt)),
    el('p', { class: 'soft last-used' }, ...(lastUsedAt === undefined ? ['Not used yet'] : ['Last used ', timeOf(lastUsedAt)])),
  ];
}

/**
 * Puts a field in place of the name until it is saved or left.
 * @param {HTMLElement} heading
 * @param {Passkey} passkey
 * @param {HTMLButtonElement} button
 */
function edit(heading, passkey, button) {
  const kept = [...heading.childNodes];
  const input = el('input', { 'aria-label': 'Name of this passkey', maxlength: 64, value: titleOf(passkey), autocomplete: 'off' });
  const done = () => {
    heading.replaceChildren(...kept);
    button.disabled = false;
    button.focus();
  };
  const form = el(
    'form',
    {
      class: 'renaming',
      submit: (event) => {
        event.preventDefault();
        const name = input.value.trim();
        if (name === '' || name === titleOf(passkey)) {
          done();
        } else {
          ask(heading, 'passkey-rename', { passkey, name });
        }
      },
      keydown: (event) => event.key === 'Escape' && done(),
    },
    input,
    el(
      'div',
      { class: 'ways' },
      el('button', { type: 'submit', class: 'small primary save' }, 'Save'),
      el('button', { type: 'button', class: 'small', click: done }, 'Cancel'),
    ),
  );
  heading.replaceChildren(form);
  button.disabled = true;
  input.focus();
  input.select();
}
