import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { selectChangesRef, sessionChangesRef } from '../../components/changes/select-changes.ts';
import { selectPage } from '../../components/changes/select-page.ts';
import { createStore } from '../../components/create-store.ts';
import { selectEnd } from '../../components/end/select-end.ts';
import type { Changes } from '../../components/ports/viewer-port.ts';
import { Exit } from '../../src/cli/cli.ts';
import { diff } from '../../src/cli/commands/diff.ts';
import { exportSession } from '../../src/cli/commands/record/export.ts';
import { report } from '../../src/cli/commands/report.ts';
import { status } from '../../src/cli/commands/status.ts';
import { summary } from '../../src/cli/report/summary.ts';
import { createFarPort } from '../../src/cli/screen/far-port.ts';
import { changedIn } from '../../src/cli/session/changes/changed-in.ts';
import { wireChanges } from '../../src/cli/wire-changes.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { pageText } from '../helpers/page-text.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { writeIn } from '../helpers/workspace.ts';

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
  'after an ABORT of a task %s the screen, the summary, the page and the commands name its unmerged work',
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

    const call = callsIn(repo, env);
    const note = `${sentence} \`cd ${repo} && ${command}\` shows them`;
    const unmerged = [
      {
        task: 'slow',
        files: [
          { path: 'a.txt', added: 1, removed: 3 },
          { path: 'made.txt', added: 1, removed: 0 },
        ],
        command,
      },
    ];
    expect((await call('diff')).notes).toEqual([note]);
    // What the commands read is the same for work that was being verified.
    if (slow === inVerification) return;
    const answers = { diff: await call('diff', '--json'), stat: await call('diff', '--stat', '--json') };
    expect(answers.diff.json).toMatchObject({ unmerged });
    expect((await call('diff', '--json', 'slow')).json).not.toHaveProperty('unmerged');
    expect((await call('status', '--json')).json).toMatchObject({ unmerged });
    const merged = '  changes   The changes are on ralph/260215-101500; `git merge --no-overwrite-ignore';
    const { printed: told } = await call('status');
    expect(told.includes(merged)).toBe(hasMerged);
    expect(told).toContain(`  unmerged  ${sentence} \`${command}\` shows them\n`);
    expect((await call('report')).notes).toEqual([note]);
    expect((await call('report', 'slow')).notes).toEqual([note]);
    if (hasMerged) expect((await call('report', 'quick')).notes).toEqual([]);

    const [html, markdown] = [join(top, 'page.html'), join(top, 'summary.txt')];
    const { json: model } = await call('export', '--json', '--html', html, '--markdown', markdown);
    expect(model).toMatchObject({
      changes: { unmerged: unmerged.map(({ task, files }) => ({ task, files })) },
    });
    for (const file of [html, markdown])
      expect(readFileSync(file, 'utf8').replaceAll('\\', '')).toContain(
        `${sentence} \`${command}\` shows them`,
      );
    expect(readFileSync(html, 'utf8').includes('0 files')).toBe(false);

    const far = await farChanges(top, answers.diff.json, answers.stat.json);
    expect(far).toMatchObject({
      missing: null,
      unmerged: unmerged.map(({ task, files }) => ({ task, files })),
    });
  },
);

/** The commands of this program in a directory, and what they say. A refusal counts as an answer. */
const callsIn =
  (cwd: string, env: NodeJS.ProcessEnv) =>
  async (...words: readonly string[]) => {
    const notes: string[] = [];
    const said = { notes, printed: '', json: null as unknown };
    const cli = createTestCli({
      cwd,
      env,
      note: (text) => void notes.push(text),
      print: (text) => {
        said.printed += `${text}\n`;
      },
      printJson: (value) => {
        said.json = JSON.parse(JSON.stringify(value));
      },
      does:
        (act) =>
        async (...args) => {
          try {
            await act(...args);
          } catch (error) {
            if (!(error instanceof Exit)) throw error;
          }
        },
    });
    const program = new Command();
    for (const add of [diff, status, report, exportSession]) add(program, cli);
    const session = words[0] === 'export' ? ['260215-101500'] : ['--session', '260215-101500'];
    await program.parseAsync([...words, ...session], { from: 'user' });
    return said;
  };

/** What the screen of another machine gets, where the program of this one gives these answers. */
const farChanges = async (top: string, diffAnswer: unknown, statAnswer: unknown): Promise<Changes> => {
  writeIn(top, 'diff.json', JSON.stringify(diffAnswer));
  writeIn(top, 'stat.json', JSON.stringify(statAnswer));
  // The words for the machine come last, as one text for its shell.
  const bin = tempDir();
  writeIn(bin, 'ssh', '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n');
  writeIn(
    top,
    'far',
    '#!/bin/sh\ncd "$(dirname "$0")"\ncase "$*" in *--stat*) cat stat.json;; *) cat diff.json;; esac\n',
  );
  for (const file of [join(bin, 'ssh'), join(top, 'far')]) chmodSync(file, 0o755);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  const machine = { name: 'gpu', alias: 'gpu1', command: [join(top, 'far')], version: '1.0.0' };
  const row = { session_id: '260215-101500', workspace: top, runner: 'gpu' };
  const far = {
    ...row,
    status: '',
    state: '',
    progress: '',
    age_s: 0,
    stop_reason: null,
    layout: '',
    goal: null,
    host: null,
  };
  const { viewer } = createFarPort({ cwd: top, env }, createWorld(), machine, far);
  const of = { task: null, attempt: null };
  return viewer.readChanges({ files: [], seen: [], commit: null, of, iteration: 1 });
};
