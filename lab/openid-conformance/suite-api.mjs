// SPDX-License-Identifier: Apache-2.0

/** The suite's own API. Requests that cannot be sent are repeated, because the suite is busy now and then. */
export class SuiteApi {
  constructor(url) {
    this.url = url;
  }

  get(route) {
    return this.#send('GET', route);
  }

  post(route, content) {
    return this.#send('POST', route, content);
  }

  delete(route) {
    return this.#send('DELETE', route);
  }

  async #send(method, route, { query = {}, body, raw } = {}) {
    const url = new URL(`/api/${route}`, this.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const content = raw ?? (body && JSON.stringify(body));
    const headers = { 'Content-Type': raw === undefined ? 'application/json' : 'text/plain' };
    const response = await repeated(() => fetch(url, { method, headers, body: content }));
    const text = await response.text();
    if (response.status === 404 && method === 'GET') return undefined;
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text.slice(0, 400)}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

async function repeated(attempt) {
  for (let left = 5; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}
