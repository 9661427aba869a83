// SPDX-License-Identifier: Apache-2.0
// Runs a plan of the conformance suite, and visits the addresses that it names with Chromium and a passkey.
//   node driver.mjs PLAN-FILE [MODULE...]
// Results are in $WORK/results, the suite's log and a picture of each module in $WORK/logs.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { SuiteApi } from './suite-api.mjs';

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; // our own certificate, on loopback
process.removeAllListeners('warning');
const { WORK, SUITE_URL, ISSUER, CHROMIUM } = process.env;
const MODULE_SECONDS = 240;
const VISIT_MS = 60_000;
const ENDED = ['FINISHED', 'INTERRUPTED'];
const [planFile, ...only] = process.argv.slice(2);
const name = path.basename(planFile, '.json');
const { plan, variant, config, hooks = {} } = JSON.parse(fs.readFileSync(planFile, 'utf8'));
const USER = 'oidf';
const PROFILE = ['--name', 'Ada Smith', '--given-name', 'Ada', '--family-name', 'Smith', '--email', 'ada@example.com', '--email-verified', '--locale', 'en-GB', '--picture', 'https://example.com/ada.png'];
const CLAIMS = { middle_name: 'Mary', nickname: 'ada', profile: 'https://example.com/ada', website: 'https://example.com', gender: 'female', birthdate: '1985-12-10', zoneinfo: 'Europe/London' };
const passkeyFile = `${WORK}/passkey.json`;
const api = new SuiteApi(SUITE_URL);
const puppeteer = createRequire(`${WORK}/node/`)('puppeteer-core');
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const log = (...words) => console.log(new Date().toISOString().slice(11, 19), ...words);
const tally = (results) => JSON.stringify(results.reduce((counts, { result }) => ({ ...counts, [result]: (counts[result] ?? 0) + 1 }), {}));

/** A page without cookies whose authenticator has the one passkey, if there is one. */
class Visitor {
  static async open(browser) {
    const visitor = new Visitor();
    visitor.context = await browser.createBrowserContext();
    visitor.page = await visitor.context.newPage();
    visitor.page.setDefaultTimeout(VISIT_MS);
    visitor.devTools = await visitor.page.createCDPSession();
    await visitor.devTools.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
    Object.assign(visitor, await visitor.devTools.send('WebAuthn.addVirtualAuthenticator', { options }));
    const { authenticatorId } = visitor;
    if (fs.existsSync(passkeyFile)) {
      const credential = JSON.parse(fs.readFileSync(passkeyFile, 'utf8'));
      await visitor.devTools.send('WebAuthn.addCredential', { authenticatorId, credential });
    }
    return visitor;
  }

  /** Keeps the passkey with its counter. */
  async savePasskey() {
    const { credentials } = await this.devTools.send('WebAuthn.getCredentials', { authenticatorId: this.authenticatorId });
    fs.writeFileSync(passkeyFile, JSON.stringify(credentials[0]));
  }

  async signUp(userId) {
    await this.page.goto(ISSUER);
    await this.page.waitForSelector('#show-sign-up', { visible: true });
    await this.page.click('#show-sign-up');
    await this.page.type('#user-id', userId);
    await this.page.click('#sign-up-button');
    await this.page.waitForFunction(() => location.pathname === '/account');
    await this.savePasskey();
    await this.context.close();
  }

  picture() {
    return this.page.screenshot({ encoding: 'base64' });
  }

  async go(url, method) {
    if (method !== 'POST') return this.page.goto(url, { waitUntil: 'load' });
    await this.page.goto(`${SUITE_URL}/robots.txt`);
    const sent = this.page.waitForNavigation();
    await this.page.evaluate((target) => {
      const { origin, pathname, searchParams } = new URL(target);
      const form = Object.assign(document.createElement('form'), { method: 'POST', action: origin + pathname });
      for (const [name, value] of searchParams) form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
      document.body.append(form);
      HTMLFormElement.prototype.submit.call(form);
    }, url);
    return sent;
  }

  /** What a person would press on the page that is open: a selector; '' to wait; undefined if there is nothing to press. */
  button(denies, leaves) {
    return this.page.evaluate((denies, leaves) => {
      const shown = (selector) => [...document.querySelectorAll(selector)].some((one) => one.offsetParent !== null && !one.disabled) && selector;
      const decision = shown(`button[name=decision][value=${denies ? 'deny' : 'agree'}]`);
      if (decision) return decision;
      if (leaves) return (location.pathname === '/account' && shown('#sign-out-button, #sign-out')) || undefined;
      if (['starting', 'prompt', 'checking', 'done'].includes(document.querySelector('porchlight-signin')?.dataset.state)) return '';
      return shown('#continue-button') || shown('#sign-in-button') || undefined;
    }, denies, leaves);
  }

  /** Does what a person does until the browser is back at the suite, or the page asks for nothing more. */
  async visit(url, method, denies) {
    const trail = [];
    const leaves = new URL(url).pathname === '/oauth2/logout';
    await this.go(url, method).catch((error) => trail.push(`navigation: ${error.message}`));
    let idle = 0;
    for (const end = Date.now() + VISIT_MS; Date.now() < end && idle < 7; await sleep(350)) {
      const { pathname } = new URL(this.page.url());
      if (this.page.url().startsWith(SUITE_URL)) return [...trail, `suite ${pathname}`];
      const button = await this.button(denies, leaves).catch(() => ''); // the page is being replaced
      idle = button === undefined ? idle + 1 : 0;
      if (!button) continue;
      trail.push(`${button} at ${pathname}`);
      this.shot = await this.picture();
      await this.page.click(button).catch((error) => trail.push(error.message));
      await Promise.race([this.page.waitForNavigation().catch(() => {}), sleep(4000)]);
    }
    this.shot = await this.picture();
    return [...trail, `page ${this.page.url()}: ${await this.page.evaluate(() => document.body.innerText.slice(0, 160).replace(/\s+/g, ' '))}`];
  }
}

function operate(command) {
  execFileSync(new URL('conformance', import.meta.url).pathname, ['operate', ...command]);
}

function runHook(module, when) {
  (hooks[module]?.[when] ?? []).forEach(operate);
}

/** Signs the person up, with a value for every claim of the scopes. */
async function register(browser) {
  await (await Visitor.open(browser)).signUp(USER);
  operate(['users', 'set', USER, ...PROFILE, ...Object.entries(CLAIMS).flatMap(([name, value]) => ['--claim', `${name}=${value}`])]);
}

/** Uploads a picture where the module asks for one. The suite then wants a person to look at it. */
async function upload(visitor, id, module, uploaded) {
  const missing = ((await api.get(`log/${id}/images`)) ?? []).filter((image) => image.upload && !image.img && !uploaded.has(image.upload));
  if (missing.length === 0) return;
  await sleep(2500); // the callback may still be on its way
  if ((await api.get(`info/${id}`)).status !== 'WAITING') return;
  const picture = visitor.shot ?? (await visitor.picture());
  fs.writeFileSync(`${WORK}/logs/${name}--${module}.png`, Buffer.from(picture, 'base64'));
  for (const image of missing) {
    uploaded.add(image.upload);
    await api.post(`log/${id}/images/${image.upload}`, { raw: `data:image/png;base64,${picture}` });
  }
}

async function drive(visitor, id, module, actions) {
  const uploaded = new Set();
  const begin = Date.now();
  let started = false;
  // Looks at the sign-in page and leaves it, before the same address is visited again.
  let looksFirst = module.includes('reused-request-uri-prior-to-auth-completion');
  while (Date.now() - begin < MODULE_SECONDS * 1000) {
    const { status } = await api.get(`info/${id}`);
    if (ENDED.includes(status)) return;
    if (status === 'CONFIGURED' && !started && Date.now() - begin > 5000) {
      started = true;
      await api.post(`runner/${id}`);
    }
    const { urlsWithMethod = [], urls = [] } = (await api.get(`runner/${id}`))?.browser ?? {};
    const next = urlsWithMethod.find(({ url }) => urls.includes(url));
    if (next && looksFirst) {
      looksFirst = false;
      await visitor.go(next.url, next.method);
      await sleep(3000);
      await api.post(`runner/browser/${id}/visit`, { query: { url: next.url } });
    } else if (next) {
      await api.post(`runner/browser/${id}/visit`, { query: { url: next.url } });
      actions.push(...(await visitor.visit(next.url, next.method, module.includes('user-rejects'))));
      await visitor.savePasskey();
    } else {
      if (status === 'WAITING' && actions.length > 0) await upload(visitor, id, module, uploaded);
      await sleep(400);
    }
  }
  actions.push(`no end after ${MODULE_SECONDS} s`);
  await api.delete(`runner/${id}`);
}

async function runModule(browser, planId, { testModule: module, variant: moduleVariant = {} }) {
  const visitor = await Visitor.open(browser);
  const actions = [];
  runHook(module, 'before');
  const { id } = await api.post('runner', { query: { test: module, plan: planId, variant: JSON.stringify(moduleVariant) } });
  await drive(visitor, id, module, actions).catch((error) => actions.push(error.stack));
  runHook(module, 'after');
  await visitor.context.close();
  const { status, result } = await api.get(`info/${id}`);
  const entries = ((await api.get(`log/${id}`)) ?? []).map(({ img, ...entry }) => entry);
  fs.writeFileSync(`${WORK}/logs/${name}--${module}.json`, JSON.stringify(entries, null, 2));
  const bad = entries.filter((entry) => ['FAILURE', 'WARNING', 'REVIEW'].includes(entry.result)).map(({ src, msg, result: of }) => ({ src, msg, result: of }));
  const skipped = result === 'SKIPPED' ? entries.findLast(({ msg }) => /skipped/i.test(msg ?? ''))?.msg : undefined;
  return { module, result: result ?? status, actions, bad, skipped };
}

for (const folder of ['results', 'logs']) fs.mkdirSync(`${WORK}/${folder}`, { recursive: true });
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--disable-features=LocalNetworkAccessChecks,Translate'];
const browser = await puppeteer.launch({ executablePath: CHROMIUM, headless: true, acceptInsecureCerts: true, protocolTimeout: 180_000, args });
try {
  if (!fs.existsSync(passkeyFile)) await register(browser);
  const { id, modules } = await api.post('plan', { query: { planName: plan, variant: JSON.stringify(variant) }, body: config });
  log(plan, id, modules.length, 'modules');
  const file = `${WORK}/results/${name}.json`;
  const chosen = ({ testModule }) => only.length === 0 || only.includes(testModule);
  const results = only.length > 0 && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).results.filter(({ module }) => !only.includes(module)) : [];
  for (const module of modules.filter(chosen)) {
    const result = await runModule(browser, id, module);
    results.push(result);
    log(result.result, result.module, result.bad.filter((one) => one.result !== 'REVIEW').map(({ result: of, src, msg }) => `${of} ${src}: ${msg}`).join(' || ').slice(0, 400));
    fs.writeFileSync(file, JSON.stringify({ plan, variant, results }, null, 2));
  }
  log(tally(results));
} finally {
  await browser.close();
}
