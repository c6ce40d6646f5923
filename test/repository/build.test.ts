import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { programFile } from '../helpers/built-program.ts';
import { filesBelow, root } from '../helpers/source-tree.ts';
import { storedId } from '../helpers/stored-story.ts';
import { createStory, task } from '../helpers/story.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { writeIn } from '../helpers/workspace.ts';

/** The long form builds anew, over what an earlier build left; the short form looks at what `npm test` has just built. */
const dist = isLongForm ? makeTempDir() : dirname(programFile);
const recent = join(dist, 'screen-recent.js');
const old = join(dist, 'screen-old.js');
let printed = '';

beforeAll(() => {
  if (!isLongForm) return;
  for (const file of [recent, old]) writeFileSync(file, '');
  const yesterday = Date.now() / 1_000 - 86_400;
  utimesSync(old, yesterday, yesterday);
  printed = execFileSync('rolldown', ['-c', '.rolldown.config.ts', '--dir', dist, '--sourcemap'], {
    encoding: 'utf8',
    // Errors are told with what the program said; its warnings about source maps are of no use here.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
});
afterAll(() => {
  if (isLongForm) removeTempDir(dist);
});

test.runIf(isLongForm)(
  'the build prints nothing, gives a command, and leaves what a running session may still import',
  () => {
    // `npm run -s ralph-tui -- status --json` builds first: a word of the bundler would not be JSON.
    expect(printed).toBe('');
    expect(statSync(join(dist, 'ralph-tui.js')).mode & 0o111).toBe(0o111);
    expect([existsSync(recent), existsSync(old)]).toEqual([true, false]);
  },
);

test('no file is named by the path of its URL, in which a blank of its folder is %20', () => {
  const files = [
    '.rolldown.config.ts',
    'vitest.config.ts',
    ...filesBelow(['src', 'test', '.site'], /\.m?[jt]sx?$/),
  ];
  const wrong = files.filter((file) =>
    /import\.meta\.url\)\.pathname/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
});

test('the built program brings its skills', () => {
  const listed = execFileSync(process.execPath, [join(dist, 'ralph-tui.js'), 'skill', 'list', '--json'], {
    cwd: dist,
    encoding: 'utf8',
  });
  expect(JSON.parse(listed)).toContainEqual(expect.objectContaining({ name: 'triage', origin: 'ours' }));
});

// The maps that name the packages are made by a build of its own alone.
test.runIf(isLongForm)('the bundle carries the licence of every package that it contains', () => {
  const contained = readdirSync(dist)
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => sourceMap.parse(JSON.parse(readFileSync(join(dist, name), 'utf8'))).sources)
    .flatMap((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  const carried = readFileSync(join(dist, 'LICENCES.txt'), 'utf8')
    .split(`\n${'-'.repeat(72)}\n`)
    .map((entry) => entry.trim());
  const names = carried.map((entry) => /^(\S+) \S+ \(\S.*\)/.exec(entry)?.[1] ?? entry.slice(0, 40));
  expect(contained.length).toBeGreaterThan(100);
  expect([...new Set(contained)].filter((name) => !names.includes(name))).toEqual([]);
  // Their authors publish these without the file; pg brings the two in the middle.
  const bare = carried.filter((entry) => entry.split('\n').length < 5);
  expect(bare.map((entry) => entry.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^http_ece \S+ \(MIT\) By Martin Thomson/),
    expect.stringMatching(/^pg-types \S+ \(MIT\) By Brian M\. Carlson/),
    expect.stringMatching(/^pgpass \S+ \(MIT\) By Hannes Hörl/),
    expect.stringMatching(/^yoga-layout \S+ \(MIT\) By Meta/),
  ]);
});

const sourceMap = z.object({ sources: z.array(z.string()) });

test('under an old Node the program says which one to use, and how', () => {
  const older =
    'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', older, join(dist, 'ralph-tui.js'), 'demo'],
    { encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'ralph-tui needs Node 22.12 or newer, but this is Node 20.20.2.\nInstall a newer version (`nvm install 22`, or https://nodejs.org), or run ralph-tui once with `npx -p node@22 ralph-tui`.\n',
  );
});

/** The files that the program can load. Those of an earlier build stand beside them for a while. */
const loadable = (): readonly string[] => {
  const found = new Set(['ralph-tui.js']);
  for (const name of found) {
    const text = readFileSync(join(dist, name), 'utf8');
    for (const [, next = ''] of text.matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) found.add(next);
  }
  return [...found];
};

test('what every session loads leaves the HTTP client alone: importing `node:http` costs 40 ms at each start', () => {
  const start = loadable().filter((name) => /^(?:program|core|view|host|screen)-.*\.js$/.test(name));
  expect(start.length).toBeGreaterThanOrEqual(5);
  const loads = start.filter((name) =>
    /from ?["'`]node:(?:https?|http2)["'`]/.test(readFileSync(join(dist, name), 'utf8')),
  );
  expect(loads).toEqual([]);
});

/** Commands of their names have chunks as well: `hook`, `status`. */
const large = ['core', 'view', 'host', 'screen'];

/** Without a session a command ends before it has loaded what it needs. */
const writeSession = (workspace: string): void => {
  const { events } = createStory()
    .begin()
    .tasks([task('a')]);
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  writeIn(workspace, `.ralph-sessions/${storedId}/journal.jsonl`, lines.join(''));
};

/** Prints the name of each chunk that is loaded. */
const namesLoads = `data:text/javascript,${encodeURIComponent(
  'import { registerHooks } from "node:module"; registerHooks({ load: (url, context, next) => { console.error("loads", url.split("/").pop()); return next(url, context); } });',
)}`;

test.each([
  { command: '--version', needs: [] },
  { command: 'hook', needs: [] },
  { command: 'signal PAUSE', needs: ['core'] },
  { command: 'status', needs: ['core'] },
  { command: 'tasks', needs: ['core', 'view'] },
  { command: 'diff', needs: ['core', 'view'] },
  { command: 'report', needs: ['core', 'view'] },
  { command: 'issues', needs: ['core', 'view'] },
])(
  '`$command`, which people and agents call often, loads no large chunk that it does not need',
  ({ command, needs }) => {
    const cwd = makeTempDir();
    writeSession(cwd);
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', namesLoads, join(dist, 'ralph-tui.js'), ...command.split(' ')],
      { encoding: 'utf8', cwd, input: '' },
    );
    removeTempDir(cwd);
    const loaded = [...stderr.matchAll(/^loads ([a-z]+)-[\w-]{8}\.js$/gm)].map(([, name]) => name);
    expect(loaded).not.toEqual([]);
    expect(loaded.filter((name) => large.includes(`${name}`) && !needs.includes(`${name}`))).toEqual([]);
  },
);
