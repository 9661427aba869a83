// SPDX-License-Identifier: Apache-2.0
// The console's data source: an hour of samples, then a stream of new ones.

import { ApiError, call, query, request } from './console-api.js';

const API = '/console/api';
const RETRY_MS = [1000, 2000, 5000, 10000];
/** A connection without a sample for this long is considered dead. */
const STALE_MS = 20000;

/**
 * @param {string} find a support code, correlation id, trace id, or user; empty for the latest
 * @returns {Promise<{ ceremonies: any[], complete: boolean }>} ceremonies with the current `settings`
 */
export async function ceremonies(find) {
  const { ceremonies: found, settings, complete } = await call(`${API}/ceremonies${find ? query({ find }) : ''}`);
  return { ceremonies: found.map((/** @type {any} */ ceremony) => ({ ...ceremony, settings })), complete };
}

/**
 * @param {{ code: string } | { response: string, options?: string, userId?: string }} question
 * @returns {Promise<any>} the result of each step
 */
export const explain = (question) => call(`${API}/explain`, 'POST', question);

/**
 * Streams samples and reconnects until the API refuses access.
 * @param {{ state: (state: 'connecting' | 'live' | 'lost', retryMs?: number) => void, operator: (operator: any) => void, history: (samples: any[]) => void, sample: (sample: any) => void }} listener
 */
export async function follow(listener) {
  for (let tries = 0; ; ) {
    const abort = new AbortController();
    try {
      listener.state('connecting');
      const stream = await request(`${API}/stream`, { signal: abort.signal }); // opened first, so that no sample is missed
      listener.operator(await call(`${API}/operator`));
      listener.history((await (await request(`${API}/history`, { signal: abort.signal })).json()).samples);
      listener.state('live');
      tries = 0;
      await read(stream, abort, listener.sample);
    } catch (error) {
      const final = error instanceof ApiError && [401, 403, 404].includes(error.status);
      if (final) {
        throw error;
      }
    } finally {
      abort.abort();
    }
    const wait = RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)];
    listener.state('lost', wait);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** @param {Response} stream @param {AbortController} abort @param {(sample: any) => void} onSample */
async function read(stream, abort, onSample) {
  const reader = /** @type {ReadableStream<any>} */ (stream.body).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const timer = setTimeout(() => abort.abort(), STALE_MS);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) {
      return;
    }
    const events = (text + value).split('\n\n');
    text = /** @type {string} */ (events.pop());
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data) {
        onSample(JSON.parse(data.slice('data: '.length)));
      }
    }
  }
}
