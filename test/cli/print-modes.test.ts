import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foundPrintModes } from '../../src/cli/settings/found-print-modes.ts';
import { createWorld } from '../../src/cli/world.ts';
import type { PartialSettings } from '../../src/session/settings.ts';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const streams = { claude: 'claude-whole', codex: 'codex-whole' } as const;

/** A stand-in for the vendor's program: it takes its prompt from stdin, prints a stream that the real one printed, and keeps its words and prompt. */
const standIn = (folder: string, name: keyof typeof streams): void => {
  const stream = join(import.meta.dirname, `../fixtures/streams/${streams[name]}.jsonl`);
  const file = join(folder, name);
  writeFileSync(
    file,
    `#!/bin/sh\necho "$*" > '${folder}/${name}.words'\ncat > '${folder}/${name}.prompt'\necho "$ANTHROPIC_API_KEY$CODEX_HOME" > '${folder}/${name}.env'\ncat '${stream}'\n`,
  );
  chmodSync(file, 0o755);
};

const runWith = (folder: string, agent: string, ...words: readonly string[]) =>
  runProgram(['run', '--plan', 'plan.yaml', ...words], {
    cwd: workspaceWith({
      'plan.yaml': 'goal: Greet\ntasks:\n  - {id: one, title: First, criteria: [it is done]}\n',
      '.ralph/config.yaml': `roles: {executor: ${agent}}\n`,
    }),
    asked: words.includes('--headless') && !words.includes('--yes'),
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      ANTHROPIC_API_KEY: 'the-key-of-claude',
      CODEX_HOME: '/home/of/codex',
    },
  });

const kept = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8').trim();

test.each([
  ['claude', 'edits', '-p --output-format stream-json --verbose --permission-mode acceptEdits'],
  ['codex', 'all', 'exec --json --skip-git-repo-check --sandbox danger-full-access -'],
] as const)(
  'without its adapter, %s on the PATH works in its print mode, and what is lost is said once',
  async (name, preset, words) => {
    const folder = tempDir();
    standIn(folder, name);
    const { code, stderr, stdout } = await runWith(folder, name, '--permissions', preset);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 1 task done')]);
    expect(stderr.match(/works in its print mode: a message reaches it only after its reply/g)).toHaveLength(
      1,
    );
    expect(kept(folder, `${name}.words`)).toBe(words);
    expect(kept(folder, `${name}.prompt`)).toContain('it is done');
    expect(kept(folder, `${name}.env`)).toBe(name === 'claude' ? 'the-key-of-claude' : '/home/of/codex');
  },
);

test('where nobody chose what it may do, a person accepts first that it edits without asking', async () => {
  const folder = tempDir();
  standIn(folder, 'claude');
  const refused = await runWith(folder, 'claude', '--headless');
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain(
    'claude in its print mode would edit files without asking, because it cannot ask',
  );
  expect(existsSync(join(folder, 'claude.words'))).toBe(false);
  // What a person chose is accepted already.
  for (const preset of ['ask', 'edits', 'all'])
    expect((await runWith(folder, 'claude', '--headless', '--permissions', preset)).stderr).not.toContain(
      'print mode would',
    );
});

const found = (values: PartialSettings, programs: readonly string[]) => {
  const folder = tempDir();
  for (const program of programs) writeFileSync(join(folder, program), '', { mode: 0o755 });
  const layer = { name: 'user', file: 'config.yaml', line: null, values } as const;
  return foundPrintModes({ env: { PATH: folder } }, createWorld(), tempDir(), [layer]).values.agents ?? {};
};

test('a print mode does what `permissions` allows, and nobody chose `ask` where nothing is set', () => {
  const commands = ([{}, { permissions: 'ask' }, { permissions: 'all' }] as const).map((values) =>
    Object.values(found(values, ['claude', 'codex'])),
  );
  expect(commands.map((entries) => JSON.stringify(entries))).toEqual([
    expect.stringMatching(/"workspace-write".*"acceptEdits"/),
    expect.stringMatching(/"read-only".*"default"/),
    expect.stringMatching(/"danger-full-access".*"bypassPermissions"/),
  ]);
});

test('an adapter, an entry of the configuration, and runners that may have the adapter keep the print mode away', () => {
  expect(Object.keys(found({}, ['claude', 'codex', 'claude-agent-acp']))).toEqual(['codex']);
  expect(
    Object.keys(found({ agents: { codex: { type: 'acp', profile: 'codex' } } }, ['claude', 'codex'])),
  ).toEqual(['claude']);
  expect(Object.keys(found({ runners: { gpu: { ssh: 'gpu', slots: 1 } } }, ['claude', 'codex']))).toEqual([]);
});
