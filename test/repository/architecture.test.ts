import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { readSources, resolveImport, type SourceFile } from '../helpers/source-tree.ts';

/** What a folder may import beside itself (src/README.md). */
const upToPipeline = ['base', 'tasks', 'issues', 'session', 'signals', 'agents', 'pipeline'];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  tasks: ['base'],
  issues: ['base', 'tasks'],
  session: ['base', 'tasks', 'issues'],
  changes: ['base', 'tasks', 'issues', 'session'],
  signals: ['base', 'tasks', 'issues', 'session'],
  agents: ['base', 'tasks', 'issues', 'session', 'signals'],
  pipeline: ['base', 'tasks', 'issues', 'session', 'signals', 'agents'],
  observability: upToPipeline,
  mcp: upToPipeline,
  runners: upToPipeline,
  discovery: upToPipeline,
  skills: upToPipeline,
  engine: [...upToPipeline, 'changes', 'observability'],
  words: upToPipeline,
  graph: ['base', 'tasks', 'words'],
  components: [...upToPipeline, 'skills', 'words', 'graph'],
  page: [...upToPipeline, 'words', 'graph', 'components'],
  serve: [...upToPipeline, 'words', 'graph', 'components', 'page'],
  hooks: ['base', 'words', 'graph', 'components'],
  'components/*.tsx': ['base', 'hooks', 'words', 'graph', 'components'],
};

/** Packages that reach the outside world, and so belong into `*.io.ts` or `cli`. */
const outsidePackages =
  /^(execa|chokidar|pg|env-paths|pino|vscode-jsonrpc|@agentclientprotocol|@modelcontextprotocol|@opentelemetry)/;
const drawingPackages = /^(react|ink)(\/|$)/;

/** The folders inside a room, lowest first: one may import those before it. Files at the room's root tie them together and may import any. */
const foldersInside: Readonly<Record<string, readonly string[]>> = {
  components: [
    'ports',
    'keys',
    'draw',
    'pane',
    'dialog',
    'tasks',
    'question',
    'mailbox',
    'output',
    'permission',
    'loop',
    'details',
    'changes',
    'plan',
    'compose',
    'knowledge',
    'needs',
    'answer',
    'issues',
    'runners',
    'statistics',
    'serve',
    'frame',
    'leave',
    'start',
    'confirm',
    'timeline',
    'events',
    'end',
    'talk',
    'form',
    'search',
    'help',
  ],
  agents: ['quota', 'replies', 'roles', 'profiles', 'backends'],
  changes: ['files', 'git', 'work'],
  discovery: [
    'checks',
    'plugin',
    'records',
    'aggregate',
    'scanner',
    'rules',
    'explorers',
    'probes',
    'wizard',
  ],
  engine: ['turns', 'snapshots', 'flow', 'workers', 'guards', 'mailbox', 'invocation', 'changes'],
  issues: ['trackers', 'documents', 'pull-requests', 'streams', 'position', 'task-list', 'team'],
  mcp: ['tools', 'outside', 'workers'],
  observability: ['statistics', 'otlp', 'debug'],
  page: ['model', 'render', 'export'],
  pipeline: ['agents', 'scheduling', 'changes', 'modes', 'events', 'evolve', 'questions', 'effects'],
  runners: ['wire', 'places', 'fence', 'link', 'repository', 'carriers', 'remote', 'serve', 'pool'],
  serve: ['push', 'access', 'act', 'render'],
  session: ['settings', 'forms', 'guidance', 'setup'],
  skills: ['documents', 'talk', 'forms', 'agent', 'shipped', 'workers'],
  words: ['diff', 'events', 'markdown'],
};

/** The rooms of the command line that every other one may import. */
const lowest = ['settings', 'agents', 'session'];

/** What a room of the command line may import beside itself and the files at its root (src/README.md). */
const roomMayImport: Readonly<Record<string, readonly string[]>> = {
  launcher: [],
  settings: [],
  agents: [],
  session: ['settings', 'agents'],
  terminal: [],
  trust: [...lowest],
  runners: [...lowest, 'trust'],
  pool: [...lowest, 'trust', 'report', 'runners'],
  host: [...lowest, 'trust', 'issues', 'runners'],
  report: [...lowest, 'trust', 'host'],
  discovery: [...lowest, 'trust'],
  issues: [...lowest, 'trust'],
  skills: [...lowest, 'trust', 'issues'],
  integrations: [...lowest, 'trust', 'report', 'issues'],
  setup: [...lowest, 'trust', 'host', 'report', 'discovery'],
  export: [...lowest, 'terminal'],
  serve: [...lowest],
  screen: [
    ...lowest,
    'trust',
    'host',
    'runners',
    'report',
    'terminal',
    'discovery',
    'setup',
    'issues',
    'skills',
  ],
  plain: [...lowest, 'trust', 'host', 'report', 'terminal', 'discovery', 'setup'],
  launch: [
    ...lowest,
    'trust',
    'issues',
    'host',
    'runners',
    'report',
    'terminal',
    'discovery',
    'setup',
    'screen',
    'plain',
  ],
  commands: [
    ...lowest,
    'trust',
    'host',
    'report',
    'terminal',
    'discovery',
    'setup',
    'screen',
    'plain',
    'launch',
    'integrations',
    'issues',
    'skills',
    'export',
    'runners',
    'pool',
    'serve',
  ],
};

const sources = readSources();

const folderOf = (path: string): string => {
  const [top = '', second = ''] = path.split('/');
  // State, selectors and keys of a subject lie beside its drawing: the kind of file tells them apart.
  if (top === 'components' && path.endsWith('.tsx')) return 'components/*.tsx';
  if (top !== 'src') return top;
  return path.split('/').length === 2 ? 'entry' : second;
};

/** The folder below `src/cli`, or `null` for what lies elsewhere or at its root. */
const roomOf = (path: string): string | null => /^src\/cli\/([^/]+)\//.exec(path)?.[1] ?? null;

const isPure = (path: string): boolean =>
  !path.endsWith('.io.ts') && folderOf(path) !== 'cli' && folderOf(path) !== 'entry';

const findings = (look: (file: SourceFile) => readonly string[]): readonly string[] =>
  sources.flatMap((file) => look(file).map((finding) => `${file.path}: ${finding}`));

/** The list of what may be imported, as a finding names it. */
const named = (allowed: readonly string[]): string =>
  allowed.length === 0 ? 'nothing beside itself' : allowed.join(', ');

const matches = (code: string, pattern: RegExp): readonly string[] =>
  [...code.matchAll(pattern)].map(
    (match) => `line ${code.slice(0, match.index).split('\n').length}: ${match[0].trim()}`,
  );

test('imports point one way', () => {
  const wrong = findings((file) => {
    const allowed = mayImport[folderOf(file.path)];
    if (!allowed) return [];
    return file.imports
      .map(({ specifier }) => resolveImport(file.path, specifier))
      .filter((target) => target !== null)
      .filter((target) => ![folderOf(file.path), ...allowed].includes(folderOf(target)))
      .map((target) => `${target} (${folderOf(file.path)} may import ${named(allowed)})`);
  });
  expect(wrong, 'src/README.md, Rooms: move what both need into a room that both may import').toEqual([]);
});

test('no selector, component or state of the machine imports a backend', () => {
  const wrong = findings((file) =>
    ['agents', 'engine', 'mcp', 'cli', 'entry'].includes(folderOf(file.path))
      ? []
      : file.imports
          .map(({ specifier }) => resolveImport(file.path, specifier))
          .filter((target) => target?.startsWith('src/agents/backends/') === true)
          .map(String),
  );
  expect(wrong).toEqual([]);
});

test('every folder of src has its place in the order', () => {
  const known = [...Object.keys(mayImport), 'cli', 'entry'];
  expect(
    [...new Set(sources.map((file) => folderOf(file.path)))].filter((name) => !known.includes(name)),
  ).toEqual([]);
});

test('the rooms of the command line import one way', () => {
  const wrong = findings((file) => {
    const allowed = roomMayImport[roomOf(file.path) ?? ''];
    if (!allowed) return [];
    return file.imports
      .map(({ specifier }) => resolveImport(file.path, specifier))
      .map((target) => (target === null ? null : roomOf(target)))
      .filter((room) => room !== null)
      .filter((room) => ![roomOf(file.path), ...allowed].includes(room))
      .map((room) => `${room} (${roomOf(file.path)} may import ${named(allowed)})`);
  });
  const rooms = new Set(sources.map((file) => roomOf(file.path)).filter((room) => room !== null));
  expect({ wrong, rooms: [...rooms].sort() }).toEqual({
    wrong: [],
    rooms: Object.keys(roomMayImport).sort(),
  });
});

test('the folders inside a room import one way', () => {
  const placeOf = (path: string): readonly [string, number] | null => {
    const [room = '', folder = '', ...below] = path.replace(/^src\//, '').split('/');
    const order = foldersInside[room];
    return order === undefined || below.length === 0 ? null : [room, order.indexOf(folder)];
  };
  const found: string[] = [];
  const unplaced = new Set<string>();
  for (const { path, imports } of sources) {
    const from = placeOf(path);
    if (from === null) continue;
    if (from[1] === -1) unplaced.add(path.slice(0, path.lastIndexOf('/')));
    for (const { specifier } of imports) {
      const target = resolveImport(path, specifier);
      const to = target === null ? null : placeOf(target);
      if (to !== null && to[0] === from[0] && to[1] > from[1])
        found.push(
          `${path} → ${target} (may import ${named(foldersInside[from[0]]?.slice(0, from[1]) ?? [])})`,
        );
    }
  }
  expect(
    { upward: [...new Set(found)].sort(), unplaced: [...unplaced] },
    'move what both need into a lower folder; `foldersInside` in this file has the order, and the place of a new folder',
  ).toEqual({
    upward: [],
    unplaced: [],
  });
});

test('folders stay within 30 files', () => {
  const sizes = new Map<string, number>();
  for (const { path } of sources) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  expect([...sizes].filter(([, size]) => size > 30)).toEqual([]);
});

test('no file imports itself through others, dynamic and type imports counted', () => {
  const graph = new Map(
    sources.map((file) => [
      file.path,
      file.imports
        .map(({ specifier }) => resolveImport(file.path, specifier))
        .filter((target) => target !== null),
    ]),
  );
  const finished = new Set<string>();
  const cycles: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    if (finished.has(path)) return;
    for (const target of graph.get(path) ?? []) walk(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  expect(cycles).toEqual([]);
});

test('only *.io.ts and cli import node modules or packages that reach outside', () => {
  const wrong = findings((file) =>
    isPure(file.path)
      ? file.imports
          .map(({ specifier }) => specifier)
          .filter((name) => (name.startsWith('node:') && name !== 'node:path') || outsidePackages.test(name))
      : [],
  );
  expect(wrong).toEqual([]);
});

test('only *.io.ts and cli touch the process, the clock, timers, chance or the console', () => {
  const globals =
    /(?<![.\w])(process\s*[.[]|Date\.now|new Date\(\)|performance\.|Math\.random|setTimeout|setInterval|setImmediate|queueMicrotask|console\.|globalThis|fetch\()/g;
  expect(findings((file) => (isPure(file.path) ? matches(file.code, globals) : []))).toEqual([]);
});

test('one file listens for signals of the operating system', () => {
  const listening = /process\.(?:on|once|addListener|prependListener)\((?!'exit')/g;
  const files = sources.filter(({ text }) => text.search(listening) >= 0).map(({ path }) => path);
  expect(files).toEqual(['src/cli/process-signals.ts']);
});

test('one file prints the command of a merge: it leaves ignored files alone', () => {
  const printing = sources.filter(({ text }) => /printedCommand\(\s*'git',\s*'merge'/.test(text));
  expect(printing.map(({ path }) => path)).toEqual(['src/base/process/printed-command.ts']);
});

test('only cli, hooks and the drawing in components know React or Ink', () => {
  const wrong = findings((file) =>
    !['cli', 'hooks', 'components/*.tsx'].includes(folderOf(file.path))
      ? file.imports.map(({ specifier }) => specifier).filter((name) => drawingPackages.test(name))
      : [],
  );
  expect(wrong).toEqual([]);
});

test('nothing is asserted to be of a type: no `as` but `as const`, no `any`', () => {
  const statements = /^(?:import|export)\b[^;]*?from\s/gm;
  const wrong = findings((file) => {
    const code = file.code.replace(statements, (found) => found.replace(/[^\n]/g, ' '));
    return [...matches(code, /\w+[\])]?\s+as\s+(?!const\b)[\w{[(]+/g), ...matches(code, /[:<|]\s*any\b/g)];
  });
  expect(wrong).toEqual([]);
});

test('no module keeps state, and the only classes are errors', () => {
  const wrong = findings((file) => [
    ...matches(file.code, /^(?:export )?(?:let|var)\s+\w+/gm),
    // What a pure function remembers of its own answers stands in `base/memoise.ts`.
    ...matches(file.code, /^(?:export )?const\s+\w+[^=]*=\s*new (?:Weak)?(?:Map|Set)\b(?:<[^;]*>)?\(\)/gm),
    ...matches(file.code, /^(?:export )?class\s+\w+(?!\w*\s+extends \w*Error\b).*$/gm),
  ]);
  expect(wrong).toEqual([]);
});

test('files stay within 300 lines', () => {
  const length = ({ text }: SourceFile): number => text.trimEnd().split('\n').length;
  const tooLong = sources.filter((file) => length(file) > 300);
  expect(tooLong.map((file) => `${file.path}: ${length(file)} lines`)).toEqual([]);
});

test('functions have at most 80 lines with everything in them', () => {
  // A shorter file has no such function: it need not be parsed.
  const candidates = sources.filter(({ text }) => text.split('\n').length > 80);
  const tooLong = candidates.flatMap((file) => functionLines(file)).filter(([, lines]) => lines > 80);
  expect(tooLong).toEqual([]);
});

test('files are named in kebab-case, components in PascalCase', () => {
  const good = /(^|\/)(?:[a-z0-9]+(?:-[a-z0-9]+)*(?:\.io)?\.tsx?|[A-Z][A-Za-z0-9]*\.tsx)$/;
  expect(sources.map((file) => file.path).filter((path) => !good.test(path))).toEqual([]);
});

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;

/** Every function of a file with the number of its lines. */
const functionLines = ({ path, text }: SourceFile): readonly (readonly [string, number])[] => {
  const found: [string, number][] = [];
  const walk = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, name);
    if (!isNode(value)) return;
    const named = 'id' in value ? value.id : 'key' in value ? value.key : null;
    const here = isNode(named) && 'name' in named ? String(named.name) : name;
    if (/^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression)$/.test(value.type))
      found.push([`${path} ${here}`, text.slice(value.start, value.end).split('\n').length]);
    for (const inside of Object.values(value)) walk(inside, here);
  };
  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path), '');
  return found;
};
