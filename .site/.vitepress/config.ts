import { defineConfig } from 'vitepress';
import { anchorOf } from '../make-pages.ts';
import { groups } from '../pages.ts';

/** The theme's label of a block of code is too pale to read, and the name of its search button leaves out the key that it shows. */
const readable = `.vp-doc [class*='language-'] > span.lang { color: var(--vp-c-text-2) }
.DocSearch-Button .DocSearch-Button-Keys { display: none }`;

/** No tracking, no request to elsewhere: fonts, search and pictures are files of the site. */
export default defineConfig({
  title: 'ralph-tui',
  description: 'Mission control for coding agents, in a terminal',
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: '../.cache/site/pages',
  outDir: '../.cache/site/built',
  cacheDir: '../.cache/site/vite',
  cleanUrls: true,
  lastUpdated: false,
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['style', {}, readable],
  ],
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    // Comments in the usual ones are too pale to read.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: groups.map(({ title, pages: [first] }) => ({ text: title, link: linkOf(first?.path ?? '') })),
    sidebar: groups.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ path, title: text }) => ({ text, link: linkOf(path) })),
    })),
  },
});

function linkOf(path: string): string {
  return path === 'index' ? '/' : `/${path}`;
}
