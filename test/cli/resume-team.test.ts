import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Cli } from '../../src/cli/cli.ts';
import { prepareFlow } from '../../src/cli/host/prepare-flow.ts';
import { prepareResume } from '../../src/cli/host/prepare-resume.ts';
import { agreeTo } from '../../src/cli/trust/ask-trust.ts';
import { createWorld } from '../../src/cli/world.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { flowStory } from '../helpers/flow-story.ts';
import { storedId, storeStory } from '../helpers/stored-story.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { writeIn } from '../helpers/workspace.ts';

type Fill = 'fresh' | 'team';

const world = createWorld();
const definition = '.ralph/agents/ralph-builder.md';
const own = (words: string): string => `---\nname: ralph-builder\ndescription: ours\n---\n${words}\n`;

/** An unfinished session for an issue that nobody runs, and the program beside it. */
const stopped = (fill: Fill): { readonly workspace: string; readonly cli: Cli; readonly issue: string } => {
  let issue = '';
  const events = flowStory().events.map((event): Event => {
    if (event.type !== 'session.created' || event.flow === undefined) return event;
    issue = event.flow.issue;
    return { ...event, flow: { ...event.flow, fill } };
  });
  const workspace = storeStory({ events });
  return { workspace, issue, cli: createTestCli({ cwd: workspace, env: { XDG_STATE_HOME: tempDir() } }) };
};

const resumed = (cli: Cli, workspace: string) =>
  prepareResume(cli, world, sessionPaths(workspace, storedId), null, {
    attended: false,
    takeOver: false,
    flags: {},
  });

const headless = { yes: false, mayAsk: false };

test('a definition of workers that changed before a resume is asked about again, and ends it with 3 where nobody can be asked', async () => {
  const { workspace, cli } = stopped('team');
  writeIn(workspace, definition, own('Do it our way.'));
  expect(await agreeTo(cli, world, resumed(cli, workspace), { yes: true, mayAsk: false })).toBe(true);
  expect(await agreeTo(cli, world, resumed(cli, workspace), headless)).toBe(true);
  writeFileSync(join(workspace, definition), own('Do it the way of an agent.'));
  await expect(agreeTo(cli, world, resumed(cli, workspace), headless)).rejects.toMatchObject({
    code: 3,
    fault: {
      code: 'needs-yes',
      what: expect.stringContaining(definition),
      hint: expect.stringContaining('--yes'),
    },
  });
});

test('a session without a team does not ask about definitions of workers', () => {
  const { workspace, cli } = stopped('fresh');
  writeIn(workspace, definition, own('Do it our way.'));
  expect(resumed(cli, workspace).subjects.map(({ name }) => name)).not.toContain(definition);
});

test.each([
  ['fresh', true, 'in hero mode, but --mode team was given'],
  ['team', false, 'in team mode, but --mode hero was given'],
] as const)(
  'an unfinished session (%s) is not resumed in silence when the other mode was asked for',
  async (fill, team, words) => {
    const { workspace, cli, issue } = stopped(fill);
    const start = { workspace, issue, only: false, source: 'goal', mode: 'plain', flags: {} } as const;
    await expect(prepareFlow(cli, world, { ...start, team })).rejects.toMatchObject({
      code: 3,
      fault: {
        code: 'other-mode',
        what: expect.stringContaining(words),
        hint: expect.stringMatching(
          /ralph-tui resume 260215-101500`.* `ralph-tui signal ABORT --session 260215-101500`/,
        ),
      },
    });
    expect(await prepareFlow(cli, world, { ...start, team: !team })).toMatchObject({ kind: 'resumed', fill });
    expect(await prepareFlow(cli, world, start)).toMatchObject({ kind: 'resumed', fill });
  },
);
