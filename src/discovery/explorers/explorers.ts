import { dirname } from 'node:path';
import { decidePermission } from '../../agents/permissions.ts';
import type { Backend, BackendHost, Brief, Directive } from '../../agents/port.ts';
import { pathGlob } from '../../base/glob.ts';
import { defaultSettings } from '../../session/settings.ts';
import type { DiscoveryPorts, ScanPlace } from '../ports.ts';
import { parseFindings } from '../records/read-findings.ts';
import { createPause } from '../scanner/pause.ts';
import { readRepository } from '../scanner/repository-facts.ts';
import { walk } from '../scanner/walk.ts';
import type { Source } from '../sources.ts';

/** A subject of an explorer, with the files worth reading for it. */
interface Subject {
  readonly name: string;
  readonly question: string;
  readonly files: readonly string[];
}

/** The one explorer role looks at five subjects (src/discovery/README.md, Probes). */
const subjects: readonly Subject[] = [
  {
    name: 'memory',
    question:
      'rules in memory files that agents must obey, that contradict each other, or that are out of date',
    files: ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md', '.cursor/**', '.github/copilot-instructions.md'],
  },
  {
    name: 'architecture',
    question: 'structures that break when someone moves, renames or adds a file',
    files: ['README*', 'docs/**', 'ARCHITECTURE*', '*config*', 'Makefile', 'src/*'],
  },
  {
    name: 'past-sessions',
    question: 'what failed in earlier work and would fail again',
    files: ['CHANGELOG*', 'ROADMAP*', 'TODO*', '.docs/**', 'docs/**'],
  },
  {
    name: 'testing',
    question: 'tests that are slow, need secrets or a network, or do not run on another machine',
    files: [
      'test/**',
      'tests/**',
      '*.test.*',
      '*_test.*',
      '.github/workflows/**',
      'package.json',
      'pyproject.toml',
    ],
  },
  {
    name: 'freedom',
    question:
      'choices that look free but are not: generated files, vendored code, pinned versions, public interfaces',
    files: [
      'package.json',
      'pyproject.toml',
      'Cargo.toml',
      'go.mod',
      '*.lock',
      'vendor/**',
      '*.proto',
      '*.graphql',
    ],
  },
];

/** Limit of files named in one prompt. */
const mostFiles = 150;

interface ExplorerOptions {
  readonly backend: Backend;
  readonly timeoutMs: number;
}

/** The explorers as sources of one scan: each is one turn of an agent that may only read. */
export const explorerSources = (ports: DiscoveryPorts, options: ExplorerOptions): readonly Source[] =>
  subjects.map((subject) => ({
    name: `explorer-${subject.name}`,
    timeoutMs: options.timeoutMs,
    find: async (place) => {
      const tracked = await readRepository(ports, place).tracked;
      const pause = createPause(ports.clock, place.signal);
      const all = tracked ?? (await walk(ports.disk, place.projectDir, pause)).paths;
      const globs = subject.files.map(pathGlob);
      const files = all
        .filter((file) => !file.startsWith('.ralph') && globs.some((glob) => glob.test(file)))
        .slice(0, mostFiles);
      const text = await ask(options.backend, place, promptOf(subject, files));
      const reader = {
        source: `explorer-${subject.name}`,
        projectDir: place.projectDir,
        exists: (file: string) => ports.disk.lstat(`${place.projectDir}/${file}`) !== null,
      };
      return parseFindings(text, reader).value;
    },
  }));

/** Runs one turn and gives everything the agent said. Throws its reason when the turn failed. */
const ask = async (backend: Backend, place: ScanPlace, prompt: string): Promise<string> => {
  const decoder = new TextDecoder();
  let said = '';
  const host: BackendHost = {
    emit: () => {},
    output: (bytes, stream) => {
      if (stream === 'stdout') said += decoder.decode(bytes, { stream: true });
    },
    permission: async ({ kind, inside, ours }) => {
      const { decision } = decidePermission({ preset: 'ask', role: 'Questioner', kind, inside, ours });
      return decision === 'allow' ? 'allow' : 'refuse';
    },
  };
  const worker = backend.start(briefOf(place), host);
  const stop = (): void => void worker.stop('cancel');
  place.signal.addEventListener('abort', stop);
  try {
    const go: Directive = { kind: 'go', messages: [] };
    const end = await worker.turn({ kind: 'explore', prompt, messages: [] }, async () => go);
    if (end.kind === 'failed') throw new Error(end.fault.what);
    return said;
  } finally {
    place.signal.removeEventListener('abort', stop);
    await worker.end?.();
  }
};

/** Its processes carry the marker of the source, by which they are stopped at the deadline. */
const briefOf = ({ projectDir, marker }: ScanPlace): Brief => ({
  invocation: marker.slice(marker.lastIndexOf('/') + 1),
  role: 'Questioner',
  mode: 'research',
  session: 'scan',
  iteration: 1,
  cycle: 1,
  goal: 'Find what could go wrong for agents in this workspace',
  workspace: projectDir,
  sessionDirectory: dirname(marker),
  tasks: [],
  messages: [],
  settings: defaultSettings,
});

const promptOf = ({ name, question }: Subject, files: readonly string[]): string =>
  [
    `You explore a repository before other agents work in it. Your subject is ${name}: ${question}.`,
    'Read only. Change no file, run no command that changes anything, and do not use the network.',
    files.length === 0 ? 'No file name in the repository suggests this subject.' : 'Files worth reading:',
    ...files.map((file) => `- ${JSON.stringify(file)}`),
    'Answer with one JSON object per line for each finding that would make an agent fail or do harm, and nothing else:',
    '{"severity": "high|medium|low", "category": "one_word", "description": "…", "file": "path", "line": 1, "recommendation": "…", "confidence": 0.0}',
    'Always end with the line {"findings": []}.',
  ].join('\n');
