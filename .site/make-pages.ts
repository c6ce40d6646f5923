import { posix } from 'node:path';
import { pages, type SitePage } from './pages.ts';

/** As GitHub makes the anchor of a heading, so that links work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const repository = 'https://github.com/ralph-sessions/tui/blob/main';

/** The Markdown of a page. `textOf` reads a file of the repository. Throws where a section or block is not there. */
export const makePage = (page: SitePage, textOf: (path: string) => string): string => {
  const text = textOf(page.from);
  const body =
    page.block !== undefined
      ? `# ${page.title}\n\n${blockIn(text, page)}`
      : page.sections === undefined
        ? text
        : sectionsIn(text, page.sections, page);
  return linked(body.replaceAll(/^<!-- \/?[a-z-]+ -->\n/gm, ''), page.from);
};

const blockIn = (text: string, { from, block = '' }: SitePage): string => {
  const [, after] = text.split(`<!-- ${block} -->\n`);
  const [content] = after?.split(`<!-- /${block} -->`) ?? [];
  if (content === undefined) throw new Error(`${from} has no block ${block}`);
  return content;
};

const sectionsIn = (text: string, wanted: readonly string[], page: SitePage): string => {
  const parts = text.split(/^(?=## )/m);
  const found = wanted.map((name) => {
    const part = name === 'intro' ? parts[0] : parts.find((each) => each.startsWith(`## ${name}\n`));
    if (part === undefined) throw new Error(`${page.from} has no section ${name}`);
    return part;
  });
  // A page of one section has it as its title.
  return wanted.length === 1 ? found.join('').replace(/^## .*/, `# ${page.title}`) : found.join('');
};

/** Links to files lead to their page, to the repository where there is none. Pictures are those of the site: its Markdown has no HTML, which Vue would take for its own. */
const linked = (body: string, from: string): string =>
  body
    .replaceAll(/\]\((?!https?:)([^)\s]*)\)/g, (_, target: string) => `](${targetOf(target, from)})`)
    .replaceAll(/<\/?picture>\n|^ *<source .*\n/gm, '')
    .replaceAll(/^ *<img alt="([^"]*)" src="test\/picture\/([\w-]+\.svg)".*$/gm, '![$1](/picture/$2)');

const targetOf = (target: string, from: string): string => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? from : posix.join(posix.dirname(from), path);
  const ofFile = pages.filter((page) => page.from === file && page.block === undefined);
  const page =
    ofFile.find(({ sections }) => sections?.some((name) => anchorOf(name) === anchor) === true) ?? ofFile[0];
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (page === undefined) return `${repository}/${file}${hash}`;
  return `/${page.path === 'index' ? '' : page.path}${hash}`;
};
