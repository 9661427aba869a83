// SPDX-License-Identifier: Apache-2.0
// The documentation site, built from the Markdown pages of the repository by ./porchlight docs.
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const SITE = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const ROOT = resolve(SITE, '../..');

const BASE = process.env.DOCS_BASE || '/';
const ICON = join(ROOT, 'server/src/main/resources/dev/porchlight/server/web/assets/logo.svg');

// Pages outside docs/, by their path in the repository and on the site.
const OTHER_PAGES = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'internals/contributing.md',
  'RELEASING.md': 'internals/releasing.md',
  'SECURITY.md': 'security/reporting.md',
  'client/README.md': 'reference/browser-client.md',
};

// No page may load anything from another host. VitePress itself needs inline scripts and styles.
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

const SECTIONS = [
  ['Getting started', 'getting-started', ['service', 'library', 'spring-boot', 'openid']],
  ['Guides', 'guides', ['embedding/index', 'openid', 'openid-recipes', 'encryption', 'branding', 'native-apps', 'authenticators', 'library', 'observability/index', 'observability/migrating', 'observability/practice', 'testkit', 'webhooks', 'mail', 'moving-passkeys', 'deploying']],
  ['Reference', 'reference', ['configuration', 'api', 'refusal-codes', 'webauthn', 'metrics', 'browser-client']],
  ['Operations', 'operations', ['operating', 'monitoring', 'runbook', 'access', 'profiles', 'audit-log', 'backup', 'storage', 'high-availability', 'upgrading', 'limits', 'scaling', 'reliability']],
  ['Security', 'security', ['threat-model', 'asvs', 'attack', 'oracles', 'dependencies', 'reporting']],
  ['Internals', 'internals', ['architecture', 'testing', 'benchmarks', 'style', 'contributing', 'releasing', 'adr/index']],
];

/** Maps a page's path in the repository to its path on the site. */
function sitePath(page) {
  return OTHER_PAGES[page] ?? page.replace(/^docs\/README\.md$/, 'all.md').replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
}

/** Maps a page's path on the site to its path in the repository. */
function repositoryPath(page) {
  const other = Object.keys(OTHER_PAGES).find(path => OTHER_PAGES[path] === page);
  return other ?? join('docs', page.replace(/index\.md$/, 'README.md'));
}

/** Returns the name of a page in the sidebar: its first heading, without Markdown and shortened. */
function title(page) {
  const [, heading] = /^# (.+)$/m.exec(readFileSync(join(ROOT, repositoryPath(page)), 'utf8'));
  const short = heading.replace(/`/g, '').replace(/^Getting started with (the )?/, '').replace('@porchlight/client', 'Browser client');
  return short[0].toUpperCase() + short.slice(1);
}

function isOnSite(file) {
  return file.endsWith('.md') && (file.startsWith('docs/') || file in OTHER_PAGES);
}

/**
 * Maps links between Markdown files to pages of the site. Links to files that are not on the site, such as source code, become
 * plain text.
 */
function mapLinks(md) {
  md.core.ruler.push('map_links', state => {
    for (const block of state.tokens) {
      let unlinked = false;
      block.children = block.children?.filter(token => {
        if (token.type === 'link_open') {
          const [path, anchor] = token.attrGet('href').split('#');
          const file = normalize(join(dirname(repositoryPath(state.env.relativePath)), path));
          const isFile = path !== '' && !/^[a-z]+:/.test(path) && existsSync(join(ROOT, file));
          unlinked = isFile && !isOnSite(file);
          if (isFile && !unlinked) {
            token.attrSet('href', `/${sitePath(file)}${anchor ? `#${anchor}` : ''}`);
          }
          return !unlinked;
        }
        return !(unlinked && token.type === 'link_close');
      }) ?? null;
    }
  });
}

/** Shows braces in code as they are; VitePress would evaluate them. */
function keepBraces(md) {
  const render = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (tokens, index, ...more) => {
    tokens[index].attrSet('v-pre', '');
    return render(tokens, index, ...more);
  };
}

/** Renders a page for the search index, which contains no colors. */
function renderForSearch(source, env, md) {
  md.options.highlight = null;
  return md.render(source, env);
}

/** Derives anchors as GitHub does. */
function slugify(heading) {
  return heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').trim().replaceAll(' ', '-');
}

/** Resolves the packages of this directory for the pages, which are outside it. */
const resolvePackages = {
  name: 'resolve-packages',
  enforce: 'pre',
  resolveId(id, importer) {
    const isPackage = /^(vue|vitepress|@vue)\b/.test(id);
    return isPackage && importer?.endsWith('.md') ? this.resolve(id, join(SITE, 'package.json'), { skipSelf: true }) : null;
  },
};

/** Saves time in the bundle that renders the pages here: it needs no search index, and its size does not matter. */
const leanServerBundle = {
  name: 'lean-server-bundle',
  enforce: 'pre',
  config: ({ build }) => (build.ssr ? { build: { rollupOptions: { treeshake: false } } } : null),
  load(id, options) {
    return options?.ssr && id.startsWith('/@localSearchIndex') ? 'export default {}' : null;
  },
};

export default defineConfig({
  title: 'Porchlight',
  description: 'Passkeys for Java that tell you why.',
  base: BASE,
  srcDir: ROOT,
  srcExclude: readdirSync(ROOT).filter(name => name !== 'docs' && name !== 'client' && !name.endsWith('.md')).map(name => `${name}/**`),
  outDir: join(ROOT, 'target/site'),
  cacheDir: join(ROOT, 'target/site-cache'),
  rewrites: sitePath,
  lastUpdated: false,
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }],
    ['link', { rel: 'icon', href: `${BASE}icon.svg` }],
  ],
  buildEnd: ({ outDir }) => copyFileSync(ICON, join(outDir, 'icon.svg')),
  ignoreDeadLinks: 'localhostLinks',
  vite: { plugins: [resolvePackages, leanServerBundle], build: { reportCompressedSize: false } },
  markdown: { config: md => md.use(mapLinks).use(keepBraces), anchor: { slugify } },
  themeConfig: {
    search: { provider: 'local', options: { _render: renderForSearch } },
    outline: [2, 3],
    nav: SECTIONS.map(([text, directory, [first]]) => ({ text, link: `/${directory}/${first.replace(/index$/, '')}` })),
    sidebar: SECTIONS.map(([text, directory, pages]) => ({
      text,
      collapsed: false,
      items: pages
        .map(page => `${directory}/${page}`)
        .filter(page => statSync(join(ROOT, repositoryPath(`${page}.md`)), { throwIfNoEntry: false }))
        .map(page => ({ text: title(`${page}.md`), link: `/${page.replace(/index$/, '')}` })),
    })),
  },
});
