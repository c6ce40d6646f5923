import { isRecord, objectFromJson } from '../../base/json.ts';
import { nodeManager } from '../checks/node-manager.ts';
import { tomlLines } from '../rules/locks/toml-lines.ts';

/** A toolchain that a manifest of the workspace requires. */
export interface WantedTool {
  /** Alternative programs, of which the first installed one counts: `python3`, `python`. */
  readonly programs: readonly string[];
  /** The lowest version, as `22.22` or `3.11`. `null` if any will do. */
  readonly least: string | null;
  /** The manifest with the requirement. */
  readonly file: string;
  /** Nothing runs without an interpreter. A package manager can be installed along the way. */
  readonly kind: 'interpreter' | 'manager';
  readonly install: string;
}

/** The toolchains that a project's root manifests require. `read` gives `null` for missing files. */
export const wantedTools = (read: (path: string) => string | null): readonly WantedTool[] => [
  ...nodeTools(read),
  ...pythonTools(read),
  ...otherTools(read),
  ...pinnedTools(read),
];

type Read = (path: string) => string | null;

const nodeTools = (read: Read): readonly WantedTool[] => {
  const text = read('package.json');
  if (text === null) return [];
  const manifest = objectFromJson(text);
  const engines = isRecord(manifest['engines']) ? manifest['engines'] : {};
  const { program, evidence } = nodeManager(manifest, (path) => read(path) !== null);
  const least = leastVersion(String(engines['node'] ?? ''));
  const file = least === null ? ['.nvmrc', '.node-version'].find((path) => read(path) !== null) : undefined;
  return [
    {
      programs: ['node'],
      least: least ?? leastVersion(file === undefined ? '' : (read(file) ?? '')),
      file: file ?? 'package.json',
      kind: 'interpreter',
      install: 'https://nodejs.org',
    },
    {
      programs: [program],
      least: leastVersion(String(engines[program] ?? '')),
      file: evidence,
      kind: 'manager',
      install: program === 'npm' ? 'https://nodejs.org' : `npm install --global ${program}`,
    },
  ];
};

const pythonTools = (read: Read): readonly WantedTool[] => {
  const project = read('pyproject.toml');
  const file = ['pyproject.toml', 'setup.py', 'requirements.txt', 'Pipfile'].find((it) => read(it) !== null);
  if (file === undefined) return [];
  const lines = tomlLines(project ?? '');
  const required =
    lines.find(({ table, key }) => table === 'project' && key === 'requires-python')?.value ??
    lines.find(({ table, key }) => table === 'tool.poetry.dependencies' && key === 'python')?.value ??
    read('.python-version') ??
    '';
  const manager = ['uv', 'poetry', 'pdm'].find((it) => read(`${it}.lock`) !== null);
  return [
    {
      programs: ['python3', 'python'],
      least: leastVersion(required),
      file,
      kind: 'interpreter',
      install: 'https://www.python.org/downloads',
    },
    ...(manager === undefined
      ? []
      : [
          {
            programs: [manager],
            least: null,
            file: `${manager}.lock`,
            kind: 'manager' as const,
            install: `pipx install ${manager}`,
          },
        ]),
  ];
};

/** Interpreters that a version manager pins: `mise.toml`, `.tool-versions`. Another word than a version (`latest`, `ref:…`) asks for any. */
const pinnedTools = (read: Read): readonly WantedTool[] => {
  const pins = [
    ...['mise.toml', '.mise.toml'].flatMap((file) =>
      tomlLines(read(file) ?? '')
        .filter(({ table }) => table === 'tools')
        .map(({ key, value }) => ({ file, tool: key, version: value })),
    ),
    ...(read('.tool-versions') ?? '').split('\n').flatMap((line) => {
      const [tool = '', version = ''] = line.replace(/#.*$/, '').trim().split(/\s+/);
      return tool === '' ? [] : [{ file: '.tool-versions', tool, version }];
    }),
  ];
  return pins.flatMap(({ file, tool, version }) => {
    const known = pinnable[tool];
    return known === undefined
      ? []
      : [{ ...known, least: leastVersion(version), file, kind: 'interpreter' as const }];
  });
};

const node = { programs: ['node'], install: 'https://nodejs.org' };
const go = { programs: ['go'], install: 'https://go.dev/dl' };
const pinnable: Readonly<Record<string, Pick<WantedTool, 'programs' | 'install'>>> = {
  node,
  nodejs: node,
  python: { programs: ['python3', 'python'], install: 'https://www.python.org/downloads' },
  ruby: { programs: ['ruby'], install: 'https://www.ruby-lang.org' },
  go,
  golang: go,
  rust: { programs: ['cargo'], install: 'https://rustup.rs' },
  elixir: { programs: ['elixir'], install: 'https://elixir-lang.org' },
};

const otherTools = (read: Read): readonly WantedTool[] => {
  const one = (file: string, program: string, install: string, pattern: RegExp): readonly WantedTool[] => {
    const text = read(file);
    if (text === null) return [];
    return [
      {
        programs: [program],
        least: pattern.exec(text)?.[1] ?? null,
        file,
        kind: 'interpreter',
        install,
      },
    ];
  };
  return [
    ...one('Cargo.toml', 'cargo', 'https://rustup.rs', /^rust-version\s*=\s*"(\d+(?:\.\d+)*)"/m),
    ...one('go.mod', 'go', 'https://go.dev/dl', /^go\s+(\d+(?:\.\d+)*)/m),
    ...one('Gemfile', 'ruby', 'https://www.ruby-lang.org', /^ruby\s+['"]~?>?=?\s*(\d+(?:\.\d+)*)/m),
    ...one('mix.exs', 'elixir', 'https://elixir-lang.org', /elixir:\s*"~>\s*(\d+(?:\.\d+)*)/),
    ...one('Makefile', 'make', 'install make', /(?!)/),
  ];
};

/** The lowest version in a range such as `>=22.22`, `^20 || >=22`, `3.11.*` or `v20`. `null` if the range has none. */
export const leastVersion = (range: string): string | null => {
  const lows = range
    .split('||')
    .flatMap(
      (part) =>
        /(?:^|[\s>=^~v"'{])\s*v?(\d+(?:\.\d+)*)/.exec(part.replaceAll(/<=?\s*v?[\d.]+/g, ''))?.[1] ?? [],
    );
  return lows.toSorted(compareVersions)[0] ?? null;
};

/** Below 0 if `a` is older. */
export const compareVersions = (a: string, b: string): number => {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};
