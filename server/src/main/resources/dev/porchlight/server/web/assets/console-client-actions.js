// SPDX-License-Identifier: Apache-2.0
// What an operator can do with a client. Each action asks first, and a secret is shown once.

import { call, segment } from './console-api.js';
import { area, checkBox, confirm, copyField, field, openForm, openNotice, textInput } from './console-dialog.js';
import { byId, el } from './dom.js';
import { text } from './texts.js';
import { HOUR } from './times.js';

const { clientIdPattern, sessionSeconds } = byId('console').dataset;

/** @param {string} clientId @param {string} [more] @returns {string} */
const path = (clientId, more = '') => `/admin/clients/${segment(clientId)}${more}`;

/** @returns {Promise<import('openapi').Clients['clients']>} */
export const listClients = async () => (await call('/admin/clients')).clients;

/** @param {string} clientId @returns {Promise<import('openapi').Client>} */
export const readClient = async (clientId) => call(path(clientId));

/** @param {string} clientId @returns {Promise<import('openapi').ClientActivity>} */
export const readActivity = async (clientId) => call(path(clientId, '/activity'));

/** @param {string} value @returns {string[]} its lines */
const lines = (value) => value.split(/\s+/).filter(Boolean);

/** @param {string} value @returns {string[]} its parts between commas and spaces */
const names = (value) => value.split(/[\s,]+/).filter(Boolean);

/** @param {string} value @returns {any} a JSON Web Key Set */
function keySet(value) {
  try {
    return JSON.parse(value);
  } catch {
    throw new Error(text('console.clients.jwksInvalid'));
  }
}

/** The fields of a client's settings. @param {any} [client] has the values; a new client has the defaults */
function settingsForm(client = { name: '', redirectUris: [], logoutUris: [], backChannelLogoutUri: '', groups: [], claims: [], refreshSeconds: Number(sessionSeconds), consent: false, jwks: '', profile: 'default' }) {
  const name = textInput({ maxlength: 100, dir: 'auto', value: client.name });
  const redirectUris = area(client.redirectUris, { required: true });
  const groups = textInput({ dir: 'ltr', value: client.groups.join(', ') });
  const claims = textInput({ dir: 'ltr', value: client.claims.join(', ') });
  const logoutUris = area(client.logoutUris);
  const backChannel = textInput({ dir: 'ltr', value: client.backChannelLogoutUri ?? '' });
  const hours = el('input', { type: 'number', step: 'any', value: client.refreshSeconds / HOUR });
  const jwks = area(client.jwks ? [JSON.stringify(client.jwks, null, 2)] : []);
  const choice = (/** @type {string[]} */ options, /** @type {string} */ chosen) => el('select', {}, ...options.map((value) => el('option', { value, selected: value === chosen }, value)));
  const algorithm = choice(['RS256', 'ES256'], client.idTokenAlgorithm);
  const profile = choice(['default', 'basic', 'fapi2'], client.profile);
  return {
    main: [
      field('client-name', text('console.clients.name'), name, text('console.clients.nameHint')),
      field('client-redirect-uris', text('console.clients.redirectUris'), redirectUris, text('console.clients.redirectUrisHint')),
    ],
    more: [
      checkBox('client-third-party', text('console.clients.thirdParty'), text('console.clients.thirdPartyHint'), client.consent),
      field('client-groups', text('console.clients.allowedGroups'), groups, text('console.clients.allowedGroupsHint')),
      field('client-claims', text('console.clients.claims'), claims, text('console.clients.claimsHint')),
      el('details', {}, el('summary', {}, text('console.clients.moreSettings')),
        field('client-hours', text('console.clients.sessionHours'), hours, text('console.clients.sessionHoursHint')),
        field('client-algorithm', text('console.clients.algorithm'), algorithm, text('console.clients.algorithmHint')),
        field('client-profile', text('console.clients.profile'), profile, text('console.clients.profileHint')),
        field('client-logout-uris', text('console.clients.logoutUris'), logoutUris, text('console.clients.logoutUrisHint')),
        field('client-back-channel', text('console.clients.backChannel'), backChannel, text('console.clients.backChannelHint')),
        // A client with a secret cannot change to keys.
        client.jwks === undefined ? undefined : field('client-jwks', text('console.clients.jwks'), jwks, text('console.clients.jwksHint'))),
    ],
    isComplete: () => redirectUris.value.trim() !== '',
    /** @param {string} clientId the name, if there is no other */
    values: (clientId) => ({
      name: name.value.trim() || clientId,
      redirectUris: lines(redirectUris.value),
      logoutUris: lines(logoutUris.value),
      backChannelLogoutUri: backChannel.value.trim(),
      consent: byId('client-third-party').checked,
      groups: names(groups.value),
      claims: names(claims.value),
      refreshSeconds: Math.round(Number(hours.value) * HOUR),
      idTokenAlgorithm: algorithm.value,
      profile: profile.value,
      ...(jwks.value.trim() && { jwks: keySet(jwks.value) }),
    }),
  };
}

/** Adds a client. @returns {Promise<string | undefined>} its id; undefined if canceled */
export async function addClient() {
  const id = textInput({ pattern: clientIdPattern, required: true, dir: 'ltr' });
  const settings = settingsForm();
  const added = await openForm({
    title: text('console.clients.addTitle'),
    content: [
      field('client-id', text('console.clients.id'), id, text('console.clients.idHint')),
      ...settings.main,
      checkBox('client-public', text('console.clients.public'), text('console.clients.publicHint')),
      ...settings.more,
    ],
    label: text('console.clients.addButton'),
    isComplete: () => id.value.trim() !== '' && settings.isComplete(),
    work: () => {
      const clientId = id.value.trim();
      return call('/admin/clients', 'POST', { clientId, public: byId('client-public').checked, ...settings.values(clientId) });
    },
  });
  if (added) {
    await showOnce(text('console.clients.addedTitle', { client: added.name }), added);
  }
  return added?.clientId;
}

/** What the operator changed: the rest stays as another operator may have set it. @param {any} client @param {Record<string, unknown>} values */
const changed = (client, values) => Object.fromEntries(
  Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(client[name] ?? '')));

/** @param {any} client @returns {Promise<unknown>} */
export function changeClient(client) {
  const { main, more, isComplete, values } = settingsForm(client);
  return openForm({
    title: text('console.clients.changeTitle', { client: client.name }),
    content: [...main, ...more],
    label: text('console.clients.changeButton'),
    isComplete,
    work: () => call(path(client.clientId), 'PATCH', changed(client, values(client.clientId))),
  });
}

/** Shows what the application's settings need. @param {string} title @param {any} client with its secret, if it has one */
async function showOnce(title, { issuer, clientId, clientSecret }) {
  await openNotice(title,
    el('p', { class: 'soft' }, text('console.clients.settingsLead')),
    copyField('added-issuer', text('console.clients.issuer'), issuer),
    copyField('added-id', text('console.clients.id'), clientId),
    ...(clientSecret === undefined ? [] : [
      copyField('added-secret', text('console.clients.secret'), clientSecret),
      el('p', {}, text('console.clients.secretOnce')),
    ]));
  byId('dialog').replaceChildren(); // the secret does not stay in the page
}

/** @param {any} client @returns {Promise<unknown>} */
export async function rotateSecret(client) {
  const rotated = await confirm(text('console.clients.rotateTitle', { client: client.name }), text('console.clients.rotateText'), text('console.clients.rotateButton'),
    () => call(path(client.clientId, '/rotate-secret'), 'POST'));
  if (rotated) {
    await showOnce(text('console.clients.rotatedTitle', { client: client.name }), { ...client, ...rotated });
  }
  return rotated;
}

/** @param {any} client */
export const removeClient = ({ clientId, name }) => confirm(text('console.clients.removeTitle', { client: name }), text('console.clients.removeText'), text('console.clients.removeButton'),
  () => call(path(clientId), 'DELETE'));
