// SPDX-License-Identifier: Apache-2.0
// Entry point of the operators' console.

import { ApiError, forgetToken, storeToken, textOf } from './console-api.js';
import { showAudit } from './console-audit.js';
import { showClients } from './console-clients.js';
import './console-explain.js';
import { follow } from './console-feed.js';
import { showGroups } from './console-groups.js';
import { showMail } from './console-mail.js';
import { ConsoleModel } from './console-model.js';
import { showOperators } from './console-operators.js';
import { Overview } from './console-overview.js';
import { closeResults } from './console-search.js';
import { showUsers } from './console-users.js';
import { showView } from './console-views.js';
import { showWebhooks } from './console-webhooks.js';
import { byId } from './dom.js';
import { numberText, text } from './texts.js';

const VIEWS = { users: showUsers, clients: showClients, groups: showGroups, operators: showOperators, webhooks: showWebhooks, mail: showMail, audit: showAudit };

/** Short, because the header has one row. */
const STATES = {
  connecting: text('console.connection.connecting'),
  live: text('console.connection.live'),
  lost: text('console.connection.offline'),
  locked: text('console.connection.locked'),
  off: text('console.connection.offline'),
};

const page = byId('console');
const checked = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll('.choice :checked')]);
const model = new ConsoleModel(Object.fromEntries(checked.map(({ name, value }) => [name, value])));
const overview = new Overview(model);

/** Shows the view in the URL. */
function show() {
  if (!model.isLocked) {
    closeResults();
    showView(model, VIEWS);
  }
}

/** @param {boolean} isLocked whether only the connection and the form for the token are shown */
function setLocked(isLocked) {
  model.isLocked = isLocked;
  page.classList.toggle('locked', isLocked);
}

/** @param {keyof typeof STATES} state @param {string} [message] what happened */
function setConnection(state, message = '') {
  model.connection = state;
  page.dataset.connection = state;
  byId('connection').dataset.state = state;
  byId('connection').textContent = STATES[state];
  if (state !== 'connecting') { // the page would move with each attempt
    byId('connection-message').textContent = message;
  }
}

/** @param {string} [why] */
function askForSignIn(why) {
  forgetToken();
  setConnection('locked', why);
  byId('token-form').hidden = false;
  byId(byId('console-sign-in').closest('[data-sign-in="none"]') ? 'token' : 'console-sign-in').focus();
}

/** Shows who operates the console. CSS hides what their role does not allow. @param {import('openapi').Operator} operator */
function setOperator({ userId, token, role, permissions }) {
  document.body.dataset.permissions = permissions.join(' ');
  byId('operator').textContent = text(`console.operator.${userId === undefined && token === undefined ? 'role' : 'who'}`, { name: userId ?? token ?? '', role: text(`console.role.${role}`) });
}

/** @param {any[]} samples of the last hour */
function start(samples) {
  Object.assign(model, { samples, revision: -1 });
  if (model.isLocked) {
    setLocked(false);
    show();
  }
  overview.update();
}

async function run() {
  byId('token-form').hidden = true;
  try {
    await follow({
      state: (state, retryMs) => setConnection(state, retryMs && text('console.connection.lost', { number: numberText(retryMs / 1000) })),
      operator: setOperator,
      history: start,
      sample: (sample) => {
        model.add(sample);
        overview.update();
      },
    });
  } catch (error) {
    setLocked(true);
    if (error instanceof ApiError && (error.status === 401 || error.code === 'no_role')) {
      askForSignIn(error.status === 401 ? '' : textOf(error));
    } else {
      setConnection('off', textOf(error));
    }
  }
}

byId('token-form').addEventListener('submit', async (/** @type {Event} */ event) => {
  event.preventDefault();
  storeToken(byId('token').value.trim());
  byId('token-alert').textContent = '';
  await run();
  if (model.connection === 'locked') {
    byId('token-alert').textContent = text('console.token.invalid');
  }
});
document.addEventListener('change', (event) => {
  const { name, value } = /** @type {HTMLInputElement} */ (event.target);
  if (name in model.choices) {
    model.choices[name] = value;
    overview.render();
    overview.renderLatest();
  }
});
document.addEventListener('click', (event) => {
  if (/** @type {Element} */ (event.target).closest('a')?.getAttribute('href') === location.hash) {
    show(); // its link was followed again
  }
});
addEventListener('hashchange', show);
run();
