import { expect, test } from 'vitest';
import { DiskError } from '../../src/base/disk.ts';
import { newSessionPaths } from '../../src/cli/host/wire.ts';
import { runSession } from '../../src/cli/launch/run-session.ts';
import { readJournalOf } from '../../src/cli/session/open-session.ts';
import { createWorld } from '../../src/cli/world.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith } from '../helpers/workspace.ts';

/** A real session on a disk that is full from the moment in which `when` is printed. */
const runUntilFull = async (when: string) => {
  const real = createWorld();
  let isFull = false;
  const disk = {
    ...real.disk,
    write: (...[handle, bytes]: Parameters<typeof real.disk.write>) => {
      if (isFull) throw new DiskError('ENOSPC', 'write', handle.path);
      real.disk.write(handle, bytes);
    },
  };
  const world = { ...real, disk };
  const printed: string[] = [];
  const notes: string[] = [];
  const cli = createTestCli({
    env: process.env,
    print: (text) => {
      printed.push(text);
      isFull ||= text.includes(when);
    },
    note: (text) => void notes.push(text),
  });
  const paths = newSessionPaths({ env: { XDG_STATE_HOME: tempDir() } }, world, workspaceWith({}));
  const settings = {
    ...defaultSettings,
    knowledge: { ...defaultSettings.knowledge, gate: 'never' as const },
  };
  const planSource = 'goal: End\ntasks:\n  - {id: a, title: A, files: [a.txt], run: [touch a.txt]}\n';
  const begin = { kind: 'new', goal: 'End', source: 'plan', settings } as const;
  const request = {
    paths,
    begin,
    settings,
    attended: false,
    planSource,
    config: null,
    agentFiles: [],
    flags: {},
  };
  const code = await runSession(cli, world, request, 'plain');
  return { code, notes, printed, journal: readJournalOf(real, paths) };
};

test('a disk that is full after the very last event is said on stderr, beside exit 1', async () => {
  const { code, notes, printed, journal } = await runUntilFull(' completed');
  expect({ code, notes }).toEqual({
    code: 1,
    notes: [expect.stringMatching(/^ralph-tui: .*the disk is full; free some space/)],
  });
  expect(printed.at(-1)).toContain('the disk is full');
  expect(journal.problems).toEqual([]);
});
