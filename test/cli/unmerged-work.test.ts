import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { diff } from '../../src/cli/commands/diff.ts';
import { summary } from '../../src/cli/report/summary.ts';
import { changedIn } from '../../src/cli/session/changes/changed-in.ts';
import { wireChanges } from '../../src/cli/wire-changes.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createStore } from '../../src/store/create-store.ts';
import { selectPage } from '../../src/store/diff/select-page.ts';
import { selectEnd } from '../../src/store/session/select-end.ts';
import { selectChangesRef, sessionChangesRef } from '../../src/store/tasks/select-changes.ts';
import { changesWorld } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { pageText } from '../helpers/page-text.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const template = templateOfFile();

const quick = `
  - {id: quick, title: Quick, files: [quick.txt], run: ['echo 1 > quick.txt'], verify: ["true"]}`;

/** The second command of `slow` never ends. */
const plan = (before: string, slow: string): string => `goal: Files
tasks:${before}
  - {id: slow, title: Slow, files: [a.txt, made.txt], blockedBy: [${before === '' ? '' : 'quick'}], ${slow}}
`;

const inWork = "run: ['echo 1 > made.txt && echo 2 > a.txt', 'exec sleep 600']";
const inVerification = "run: ['echo 1 > made.txt && echo 2 > a.txt'], verify: ['exec sleep 600']";

test.each([
  ['while it worked', quick, inWork],
  ['while it was verified', quick, inVerification],
  ['while it worked, with nothing merged', '', inWork],
  ['while it was verified, with nothing merged', '', inVerification],
])(
  'after an ABORT of a task %s the end, the Changes tab, the summary and `diff` name its unmerged work',
  async (_, before, slow) => {
    const { repo, top } = changesWorld(template);
    const env = { ...process.env, XDG_STATE_HOME: join(top, 'state') };
    mkdirSync(env.XDG_STATE_HOME, { recursive: true });
    const world = createWorld();
    const session = createRealSession(repo, plan(before, slow), {
      changes: wireChanges(env, world),
      settings: {
        isolation: 'worktree',
        changes: { at_end: 'keep' },
        planning: { max_cycles: 0 },
        knowledge: { ...defaultSettings.knowledge, gate: 'never' },
      },
    });
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    await session.event('command.started', ({ command }) =>
      JSON.stringify(command.cmd).includes('sleep 600'),
    );
    session.publish({ type: 'ABORT' });
    const end = await engine.settled();
    const store = createStore({ clock: createManualClock(), evolve, connection: 'stopped' });
    store.load(session.events);
    const changes = await changedIn({ env }, world, session.paths, engine.state());
    if (changes === null) throw new Error('nothing was asked');
    const { key } = sessionChangesRef(engine.state());
    store.act({ type: 'changes-read', key, changes });
    const hasMerged = before !== '';

    const sentence = 'The changes of slow are not merged (2 files, +2 −3):';
    const command = 'ralph-tui diff slow --session 260215-101500';
    const view = selectEnd(store.getState());
    expect(view?.changed).toEqual({
      sentence: `${hasMerged ? '1 file changed, +1; ' : ''}2 files, +2 −3, not merged`,
      files: [
        ...(hasMerged ? [{ path: 'quick.txt', added: '+1', removed: '', words: '' }] : []),
        { path: 'a.txt', added: '+1', removed: '−3', words: 'not merged' },
        { path: 'made.txt', added: '+1', removed: '', words: 'not merged' },
      ],
    });
    expect(view?.changes[0]).toContain(sentence);
    expect(view?.changes[0]).toContain(command);

    store.act({ type: 'tab-chosen', tab: 'changes' });
    store.act({ type: 'scope-turned' });
    expect(selectChangesRef(store.getState())?.key).toBe(key);
    store.act({ type: 'changes-read', key, changes });
    const page = pageText(selectPage(store.getState()));
    const at = page.indexOf('Unmerged attempts hold changes:');
    expect(page.slice(at + 1)).toEqual([
      'slow: 2 files, +2 −3: a.txt and made.txt',
      '',
      ...(hasMerged ? ['quick.txt', '1 file, +1 −0', '', 'quick.txt', '@@ -0,0 +1 @@', '+1'] : []),
    ]);

    const printed = summary({ paths: session.paths, flags: {} }, end, engine.state(), changes);
    expect(printed.includes('  changed  1 file, +1: quick.txt\n')).toBe(hasMerged);
    expect(printed).toContain(`  unmerged ${sentence} \`cd ${repo} && ${command}\` shows them\n`);

    const notes: string[] = [];
    const cli = createTestCli({
      cwd: repo,
      env,
      note: (text) => void notes.push(text),
      does:
        (act) =>
        async (...words) =>
          void (await act(...words)),
    });
    const program = new Command();
    diff(program, cli);
    await program.parseAsync(['diff', '--session', '260215-101500'], { from: 'user' });
    expect(notes).toEqual([`${sentence} \`cd ${repo} && ${command}\` shows them`]);
  },
);
