import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askLoop } from '../../src/cli/launch/ask-loop.ts';
import { discoverFirst } from '../../src/cli/launch/discover-first.ts';
import { createTypedLines } from '../../src/cli/typed-lines.ts';
import { createWorld } from '../../src/cli/world.ts';
import { acknowledgedFileName, parseAcknowledged } from '../../src/session/guidance/acknowledged.ts';
import type { GuidanceOffers } from '../../src/session/guidance/guidance-form.ts';
import { finding } from '../helpers/findings.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const critical = finding({ id: 'hardcoded_path-1', severity: 'critical' });

/** A repository with the person's home in its code, and a person who answers with these lines. */
const begin = (...typed: readonly string[]) => {
  const cwd = repositoryWith({
    'app.toml': 'root = "/home/zed/data"\n',
    'plan.md': '- [ ] one\n',
    '.ralph/config.yaml': 'agents: {mine: {type: command, command: ["true"]}}\nroles: {executor: mine}\n',
  });
  const stdin = new PassThrough();
  const asked: string[] = [];
  // A line typed before its question would be no answer to it.
  const write = (text: string): boolean => stdin.write(`${typed[asked.push(text) - 1] ?? ''}\n`);
  const home = tempDir();
  const cli = createTestCli({
    cwd,
    env: { HOME: '/home/zed', PATH: '/usr/bin:/bin', XDG_CONFIG_HOME: home, XDG_STATE_HOME: home },
    typed: createTypedLines(stdin),
    stderr: { write } as never,
  });
  const world = createWorld();
  const offered: GuidanceOffers[] = [];
  const loop = () =>
    askLoop(
      cli,
      world,
      { workspace: cwd, source: 'goal', mode: 'screen', flags: {}, focus: 'plan.md' },
      { discovery: true, despiteCritical: false },
      async (_cli, _world, _workspace, offers) => {
        offered.push(offers);
        return { guidance: 'kept', preset: 'poc' };
      },
    );
  const start = (accepted: readonly (typeof critical)[], found = [critical]) =>
    discoverFirst(
      cli,
      world,
      { workspace: cwd, discovers: true } as never,
      { yes: false, mayAsk: false },
      { discovery: true, despiteCritical: false, found, accepted },
    );
  const acknowledged = () => {
    const file = join(cwd, acknowledgedFileName);
    return existsSync(file) ? [...parseAcknowledged(readFileSync(file, 'utf8')).value.values()] : [];
  };
  return { loop, start, offered, asked, acknowledged };
};

test('critical findings are asked about before the wizard of a loop; who does not start sees no wizard', async () => {
  const { loop, offered, asked, acknowledged } = begin('n');
  expect(await loop()).toBeNull();
  expect(asked).toEqual([expect.stringContaining('start anyway, or neither?')]);
  expect(offered).toEqual([]);
  expect(acknowledged()).toEqual([]);
});

test('who starts anyway comes to the wizard with the finding still offered; the start records it and asks no second time', async () => {
  const { loop, start, offered, acknowledged } = begin('s');
  const answer = await loop();
  expect(offered).toHaveLength(1);
  expect(offered[0]?.question).toContain('1 critical');
  expect(answer?.accepted).toMatchObject([{ severity: 'critical', value: '/home/zed' }]);
  expect(acknowledged()).toEqual([]);
  expect(await start(answer?.accepted ?? [], [...(answer?.found ?? [])])).toMatchObject({ kind: 'start' });
  expect(acknowledged()).toMatchObject([{ severity: 'critical', despite: true }]);
});

test('a start over acknowledged critical findings asks nothing and needs no flag; a new one is refused', async () => {
  const { start } = begin();
  await expect(start([])).rejects.toMatchObject({ code: 3 });
  await start([critical]);
  expect(await start([])).toMatchObject({ kind: 'start' });
  const other = finding({ id: 'hardcoded_path-2', severity: 'critical' });
  await expect(start([], [critical, other])).rejects.toMatchObject({ code: 3 });
});
