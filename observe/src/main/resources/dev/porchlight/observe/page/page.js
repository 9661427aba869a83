// SPDX-License-Identifier: Apache-2.0
// Entry point of the page.

import { byId } from './dom.js';
import { Period } from './period.js';
import { Signals } from './signals.js';
import { text } from './texts.js';

const MAX_SAMPLES = 750;
const RETRY_MS = 5000;

const state = {
  /** @type {any[]} oldest first */
  samples: [],
  /** @type {Record<string, string>} by the name of the control */
  choices: { window: '15', route: '' },
};
const signals = new Signals(state.choices, '');

function render() {
  const last = state.samples.at(-1);
  if (last) {
    signals.render(new Period(state.samples, last.t - Number(state.choices.window) * 60000, last.t));
  }
}

/** @param {'live' | 'offline'} connection */
function setConnection(connection) {
  byId('connection').dataset.state = connection;
  byId('connection').textContent = text(connection === 'live' ? 'console.connection.live' : 'console.connection.offline');
}

/** Loads the samples after the last one, again and again. */
async function follow() {
  let wait = RETRY_MS;
  try {
    const response = await fetch(`./samples/${state.samples.at(-1)?.t ?? 0}`);
    if (!response.ok) {
      throw new Error(response.statusText);
    }
    const { intervalMs, samples } = await response.json();
    state.samples = [...state.samples, ...samples].slice(-MAX_SAMPLES);
    wait = intervalMs;
    setConnection('live');
    render();
  } catch {
    setConnection('offline');
  }
  setTimeout(follow, wait);
}

document.addEventListener('change', (event) => {
  const { name, value } = /** @type {HTMLInputElement} */ (event.target);
  state.choices[name] = value;
  render();
});
follow();
