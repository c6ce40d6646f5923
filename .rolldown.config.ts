import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

// Standard output belongs to the program that is built and then run (`npm run -s ralph-tui -- status --json`), and no log level keeps the bundler's
// list of files out of it. Errors go to standard error and are told as ever.
process.stdout.write = () => true;

const hour = 3_600_000;

/**
 * A second terminal builds while a session of the first one runs (`npm run ralph-tui -- status`): what that one may still import
 * stays for a while. Chunks are named after what they hold, so old and new ones do not meet. And a linked command can be executed after each build.
 */
const tidy: Plugin = {
  name: 'tidy',
  writeBundle: async ({ dir = 'dist' }, bundle) => {
    await chmod(join(dir, 'ralph-tui.js'), 0o755);
    for (const name of await readdir(dir)) {
      const file = join(dir, name);
      if (Object.keys(bundle).some((known) => known === name || known.startsWith(`${name}/`))) continue;
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > hour) await rm(file, { force: true });
    }
  },
};

const here = (file: string): string => new URL(file, import.meta.url).pathname;

/** The prompts of the roles are files that people read and copy; the program reads them beside itself (read-prompts.io.ts). */
const prompts: Plugin = {
  name: 'prompts',
  generateBundle: async function () {
    const from = here('./src/agents/roles/prompts/');
    for (const name of (await readdir(from)).filter((file) => file.endsWith('.md')).sort())
      this.emitFile({
        type: 'asset',
        fileName: `prompts/${name}`,
        source: await readFile(join(from, name), 'utf8'),
      });
  },
};

/** A module that gives a function of ours by default, as the one it stands for does. */
const standIn = (name: string, file: string): string =>
  `export { ${name} as default } from ${JSON.stringify(here(file))};`;

/** Imports of packages that are answered by a module of ours, by importer and what it asks for. */
const standIns: readonly { readonly importer: string; readonly asked: string; readonly code: string }[] = [
  // Frames are drawn by us: Ink's own renderer has no seam but its import, and costs several times as much (draw-frame.ts says why).
  {
    importer: '/ink/build/ink.js',
    asked: './renderer.js',
    code: standIn('drawFrame', './src/cli/terminal/draw-frame.ts'),
  },
  // Each line is measured for the layout when it changed; most are known to be one cell a character.
  {
    importer: '/widest-line/index.js',
    asked: 'string-width',
    code: standIn('widthOfStyled', './src/store/text/width.ts'),
  },
];

/**
 * Pieces of packages that only cost time at the start. Each stays only while it earns 3 ms: processor time of importing the screen from a warm
 * compile cache, with and without the one rewrite, Node 24.
 */
const rewrites: readonly { readonly file: string; readonly from: string | RegExp; readonly to: string }[] = [
  // The layout's WebAssembly stands in the program as text. Getting it by `fetch` loads all of the HTTP client first: 58 ms.
  { file: '/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js', from: '"function"!=typeof fetch', to: '!0' },
  // All emoji in one expression take 9 ms to read, and hardly a screen shows one.
  {
    file: '/string-width/index.js',
    from: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    to: 'let rgiEmoji; const rgiEmojiRegex = { test: (text) => (rgiEmoji ??= /^\\p{RGI_Emoji}$/v).test(text) };',
  },
  // So does the first segmenter, and each of these alone would be the first: made when a text needs one, as ours are (segmenters.ts).
  ...[
    '/string-width/index.js',
    '/slice-ansi/tokenize-ansi.js',
    '/wrap-ansi/index.js',
    '/ink/build/line-update.js',
    '/@alcalzone/ansi-tokenize/build/tokenize.js',
  ].map((file) => ({
    file,
    from: /const (\w+) = new Intl\.Segmenter\((.*)\);/g,
    to: 'let late$1; const $1 = { segment: (text) => (late$1 ??= new Intl.Segmenter($2)).segment(text) };',
  })),
];

const isIn = (code: string, part: string | RegExp): boolean =>
  typeof part === 'string' ? code.includes(part) : code.search(part) >= 0;

/** Applies both lists. A package that has moved what they name is an error: the program would work, but slower. */
const quick = (): Plugin => {
  const used = new Set<object>();
  return {
    name: 'quick',
    resolveId: (source, importer) => {
      const index = standIns.findIndex((it) => it.asked === source && importer?.endsWith(it.importer));
      const found = standIns[index];
      if (!found) return null;
      used.add(found);
      return `stand-in:${index}`;
    },
    load: (id) => (id.startsWith('stand-in:') ? standIns[Number(id.slice('stand-in:'.length))]?.code : null),
    transform: (code, id) => {
      const wanted = rewrites.filter((it) => id.endsWith(it.file) && isIn(code, it.from));
      for (const it of wanted) used.add(it);
      return wanted.length === 0 ? null : wanted.reduce((text, it) => text.replaceAll(it.from, it.to), code);
    },
    buildEnd: (error) => {
      const unused = [...standIns, ...rewrites].find((it) => !used.has(it));
      if (!error && unused) throw new Error(`nothing in the packages fits ${JSON.stringify(unused)}`);
    },
  };
};

/**
 * Modules that every command loads before it knows what it is asked for: the closure of the program's static imports. They stay apart from the
 * groups below, so that `--version` loads nothing else.
 */
const early = new Set<string>();
const findEarly: Plugin = {
  name: 'find-early',
  buildEnd() {
    const follow = (id: string): void => {
      if (early.has(id)) return;
      early.add(id);
      for (const next of this.getModuleInfo(id)?.importedIds ?? []) follow(next);
    };
    for (const entry of ['src/main.ts', 'src/cli/program.ts']) follow(here(`./${entry}`));
  },
};

const isLate = (folders: RegExp) => (id: string) => folders.test(id) && !early.has(id);

/**
 * One program in `dist/`: a tiny entry that checks the Node version and turns the compile cache on, and the chunks it
 * imports on demand, so that `status` never loads React.
 */
export default defineConfig({
  input: { 'ralph-tui': 'src/main.ts' },
  platform: 'node',
  // The groups of chunks below need it; nobody imports the entry.
  preserveEntrySignatures: 'allow-extension',
  plugins: [tidy, prompts, quick(), findEarly],
  external: [/^node:/, 'fsevents'],
  resolve: {
    alias: { 'react-devtools-core': new URL('./src/cli/terminal/no-devtools.ts', import.meta.url).pathname },
  },
  transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' } },
  output: {
    dir: 'dist',
    format: 'esm',
    minify: true,
    banner: '#!/usr/bin/env node',
    chunkFileNames: '[name]-[hash].js',
    // Linking 230 small chunks one by one took 60 of 380 ms of processor time until the first frame. What many commands share is one file, and what the
    // screen draws from is another.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          name: 'core',
          test: isLate(/\/src\/(base|tasks|session|signals|agents|pipeline|observability)\//),
          minShareCount: 3,
        },
        { name: 'view', test: isLate(/\/src\/(store|keymap)\//), minShareCount: 2 },
      ],
    },
  },
});
