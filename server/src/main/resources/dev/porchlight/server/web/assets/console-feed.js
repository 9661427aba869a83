// SPDX-License-Identifier: Apache-2.0
// Where the console's data comes from: an hour of samples, then one at a time for as long as the connection lasts.

const TOKEN = 'porchlight.admin-token';
const RETRY_MS = [1000, 2000, 5000, 10000];
/** Samples come every few seconds; a connection on which none has come for so long is dead, whatever it looks like. */
const SILENCE_MS = 20000;

/** The API said no. */
export class Refused extends Error {
  /** @param {number} status @param {{ error?: string, detail?: string }} problem */
  constructor(status, { error = `The service answered ${status}`, detail }) {
    super(detail ? `${error}. ${detail}.` : error);
    this.status = status;
  }
}

/** @param {string} token kept until the tab is closed, and sent to nobody else */
export function keepToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

/** Whether there is a token to try. */
export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

/** @param {string} path @param {RequestInit} [more] */
async function ask(path, more = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const answer = await fetch(`/console/api/${path}`, {
    ...more,
    headers: { ...more.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    cache: 'no-store',
    credentials: 'omit',
  });
  if (!answer.ok) {
    throw new Refused(answer.status, await answer.json().catch(() => ({})));
  }
  return answer;
}

/** @param {string} find a support code, a correlation id or a trace id; empty for the latest @returns {Promise<any[]>} each with what is set in `settings` */
export async function ceremonies(find) {
  const answer = await ask(find ? `ceremonies?find=${encodeURIComponent(find)}` : 'ceremonies');
  const { ceremonies: found, settings } = await answer.json();
  return found.map((/** @type {any} */ ceremony) => ({ ...ceremony, settings }));
}

/**
 * @param {{ code: string } | { response: string, options?: string, userId?: string }} question
 * @returns {Promise<any>} what becomes of each step
 */
export async function explain(question) {
  const answer = await ask('explain', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(question) });
  return answer.json();
}

/**
 * Follows the service until the API says no.
 * @param {{ state: (state: 'connecting' | 'live' | 'lost', retryMs?: number) => void, history: (samples: any[]) => void, sample: (sample: any) => void }} hear
 */
export async function follow(hear) {
  for (let tries = 0; ; ) {
    const silence = new AbortController();
    try {
      hear.state('connecting');
      const stream = await ask('stream', { signal: silence.signal }); // first, so that no sample falls between
      hear.history((await (await ask('history', { signal: silence.signal })).json()).samples);
      hear.state('live');
      tries = 0;
      await read(stream, silence, hear.sample);
    } catch (error) {
      const final = error instanceof Refused && [401, 403, 404].includes(error.status);
      if (final) {
        throw error;
      }
    } finally {
      silence.abort();
    }
    const wait = RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)];
    hear.state('lost', wait);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** @param {Response} stream @param {AbortController} silence @param {(sample: any) => void} hear */
async function read(stream, silence, hear) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (stream.body).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) {
      return;
    }
    const events = (text + value).split('\n\n');
    text = /** @type {string} */ (events.pop());
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data) {
        hear(JSON.parse(data.slice('data: '.length)));
      }
    }
  }
}
