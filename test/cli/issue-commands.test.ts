import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../../src/cli/world.ts';
import { trackerNames } from '../../src/issues/trackers/tracker-name.ts';
import { startHeartbeat } from '../../src/session/heartbeat.ts';
import { acquireLock, isLock } from '../../src/session/lock.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createShell } from '../helpers/shell.ts';

const native = (id: string, matter: string): Record<string, string> => ({
  [`.ralph/issues/${id}.md`]: `---\n${matter}\n---\n`,
});

describe('issues', () => {
  it('makes, lists, shows, moves and comments on issues, and says what is ready', async () => {
    const { run, json } = createShell();
    expect((await run(['issues'])).out).toContain('no issues yet');
    expect((await run(['issues', 'new', 'Greet', '--label', 'a', '--label', 'b'])).out).toBe('1: Greet');
    await run(['issues', 'new', 'In French', '--blocked-by', '1', '--estimate', 'xs', '--body', 'Bonjour.']);
    expect((await run(['issues'])).out).toBe(
      '1  Backlog      Greet      ready\n2  Backlog  XS  In French  waits for 1',
    );
    expect(await json('issues', 'ready')).toMatchObject([
      { id: '1', labels: ['a', 'b'], ready: true, children: [] },
    ]);
    expect((await run(['issues', 'move', '1', 'done'])).out).toBe('1 is now Done');
    expect((await run(['issues', 'ready'])).out).toBe('2  Backlog  XS  In French  ready');
    expect((await run(['issues', 'comment', '2', 'Salut?'])).code).toBe(0);
    expect((await run(['issues', 'show', '2'])).out).toMatch(
      /^2: In French\nstate: Backlog\nestimate: XS\nblocked by: 1\n\nBonjour\.\n\n── comment, .*\nSalut\?$/,
    );
    expect((await run(['issues', 'graph'])).out).toBe('2  In French');
    expect(await json('issues', 'graph')).toMatchObject([
      { id: '1', blocks: ['2'] },
      { id: '2', blockedBy: ['1'] },
    ]);
  });

  it('edits an issue where its tracker can, and says in one sentence what it cannot', async () => {
    const { run, json } = createShell({ 'TODO.md': '- [ ] T1: Greet\n- [ ] T2: Wave (blocked by T1)\n' });
    await run(['issues', 'new', 'Greet']);
    await run(['issues', 'new', 'In French', '--blocked-by', '1', '--label', 'a']);
    const edited = ['--title', 'In Latin', '--estimate', 's', '--labels', 'b, c', '--blocked-by', ''];
    expect((await run(['issues', 'edit', '2', ...edited])).out).toBe('2: In Latin');
    expect(await json('issues', 'show', '2')).toMatchObject({
      title: 'In Latin',
      estimate: 'S',
      labels: ['b', 'c'],
      blockedBy: [],
    });
    const todo = ['--tracker', 'markdown'];
    await run(['issues', 'edit', 'T2', '--title', 'Bow', '--blocked-by', '', ...todo]);
    expect(await json('issues', 'show', 'T2', ...todo)).toMatchObject({ title: 'Bow', blockedBy: [] });
    for (const [args, words] of [
      [['2'], /nothing to change; add --title/],
      [['2', '--blocked-by', '2'], /issue 2 cannot block itself/],
      [['2', '--blocked-by', '7'], /issue 7 does not exist/],
      [['2', '--estimate', 'huge'], /unknown estimate "huge"/],
      [['T2', '--labels', 'x', ...todo], /the tracker markdown cannot change labels; change it there/],
    ] as const)
      expect(await run(['issues', 'edit', ...args])).toMatchObject({ notes: expect.stringMatching(words) });
  });

  it('refuses to take an issue from a session with its last sign of life', async () => {
    const lockOf = (session: string): string =>
      `state: plan-in-progress\nlock: {holder: {machine: ${hostname()}, workspace: WORKSPACE, session: ${session}}, since: "2026-01-01"}`;
    const { run, cwd: workspace } = createShell({
      ...native('1', `title: One\n${lockOf('260215-101500')}`),
      ...native('2', `title: Two\n${lockOf('260215-101600')}`),
    });
    for (const id of ['1', '2']) {
      const file = join(workspace, `.ralph/issues/${id}.md`);
      writeFileSync(file, readFileSync(file, 'utf8').replace('WORKSPACE', workspace));
    }
    const { disk, clock, random, spawn } = createWorld();
    const paths = sessionPaths(workspace, '260215-101500');
    disk.mkdir(paths.directory);
    const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive);
    const stop = startHeartbeat(disk, clock, paths, { isStillOurs: () => true, later: () => () => {} });
    const refused = await run(['issues', 'move', '1', 'ready-for-plan']);
    stop();
    expect(isLock(lock)).toBe(true);
    expect([refused.code, refused.notes]).toEqual([
      2,
      expect.stringMatching(
        /\(pid \d+, running, last sign of life \d s ago\); stop that session, or add --break-lock/,
      ),
    ]);
    expect((await run(['issues', 'move', '2', 'ready-for-plan'])).notes).toContain(
      '(no program is running it)',
    );
    // That ends the work on it, which needs no other word of a person.
    const ended = await run(['issues', 'move', '1', 'canceled']);
    expect([ended.code, ended.out]).toEqual([
      0,
      '1 is now Canceled; session 260215-101500 stops its work on it',
    ]);
    expect(await run(['issues', 'move', '2', 'human-needed'])).toMatchObject({
      code: 0,
      out: '2 is now Human Needed',
    });
  });

  it.each([
    [['issues', 'show', '7'], 'issue 7 does not exist; see `ralph-tui issues`'],
    [['issues', 'move', '1', 'nearly done'], 'unknown state "nearly done"; use one of Backlog'],
    [['issues', 'move', '1', 'in review'], 'an issue cannot move from Backlog to In Review; it can move to'],
    [
      ['issues', 'move', '2', 'ready-for-plan'],
      'issue 2 is locked by s1 on laptop since 2026-01-01 (this machine cannot tell whether it is running)',
    ],
    [['issues', 'new', 'x', '--estimate', 'huge'], 'unknown estimate "huge"; use XS'],
    [['issues', 'new', 'x', '--blocked-by', '9'], 'issue 9 does not exist'],
    [['issues', 'new', ' '], 'an issue needs a title'],
    [['issues', 'comment', '1', ' '], 'a comment needs text'],
    [['issues', '--tracker', 'jira'], `unknown tracker "jira"; use one of ${trackerNames.join(', ')}`],
    [['issues', '--tracker', 'prd:../x'], 'the path of "prd:../x" must stay inside'],
    [['issues', '--tracker', 'linear'], 'linear needs a team key; write it as linear:ENG'],
    [['issues', '--tracker', 'gh:x'], 'the tracker gh is not a file; write only gh'],
    [['flow', 'position', '--issue', '9'], 'issue 9 does not exist'],
    [['flow', 'position'], "required option '--issue <id>' not specified"],
  ])('%j is a usage error of one sentence', async (args, sentence) => {
    const lock = 'lock: {holder: {machine: laptop, workspace: /w, session: s1}, since: "2026-01-01"}';
    const { run } = createShell({
      ...native('1', 'title: One'),
      ...native('2', `title: Two\nstate: plan-in-progress\n${lock}`),
    });
    const { code, notes } = await run(args);
    expect(code).toBe(2);
    expect(notes).toContain(sentence);
    expect(notes.split('\n')).toHaveLength(1);
  });

  it('finds the issues of the repository from a folder inside it', async () => {
    const { run, cwd } = createShell({ 'src/deep/a.ts': '' });
    await run(['issues', 'new', 'One'], {}, 'src/deep');
    expect((await run(['issues', 'list'])).out).toContain('One');
    expect((await run(['issues', 'list'], {}, 'src')).out).toContain('One');
    mkdirSync(join(cwd, 'src/.ralph-sessions'));
    expect((await run(['issues', 'list'], {}, 'src/deep')).out).toContain('no issues yet');
  });

  it('leaves the moves to a person, who can break a lock', async () => {
    const lock = 'lock: {holder: {machine: laptop, workspace: /w, session: s1}, since: now}';
    const { run, cwd } = createShell({
      ...native('1', 'title: One\nstate: human-needed'),
      ...native('2', `title: Two\nstate: plan-in-progress\n${lock}`),
      ...native('3', `title: Three\nstate: plan-in-progress\n${lock}`),
    });
    const inside = await run(['issues', 'move', '1', 'backlog'], { RALPH_RUN: 's/1' });
    expect(inside).toMatchObject({
      code: 2,
      notes: expect.stringContaining('only a person can move issues'),
    });
    expect((await run(['issues', 'move', '1', 'backlog'])).code).toBe(0);
    expect((await run(['issues', 'move', '2', 'human needed', '--break-lock'])).code).toBe(0);
    expect(readFileSync(join(cwd, '.ralph/issues/2.md'), 'utf8')).toBe(
      '---\ntitle: Two\nstate: human-needed\n---\n',
    );
    // Back to where a failure of that session would have led.
    expect((await run(['issues', 'move', '3', 'ready-for-plan', '--break-lock'])).code).toBe(0);
    expect((await run(['issues', 'ready'])).out).toMatch(/^3 +Ready for Plan +Three +ready$/m);
  });

  it('a parent moves with the last of its children, and one that a session holds does not', async () => {
    const { run, json } = createShell({
      ...native('1', 'title: Whole\nstate: in-review'),
      ...native('2', 'title: Part\nstate: in-review\nparent: "1"'),
      ...native('3', 'title: Piece\nstate: in-review\nparent: "2"'),
      ...native('4', 'title: Piece too\nstate: in-review\nparent: "2"'),
      ...native(
        '5',
        'title: Held\nstate: plan-in-progress\nlock: {holder: {machine: m, workspace: /w, session: s}, since: "2026-01-01"}',
      ),
      ...native('6', 'title: Part of it\nstate: in-review\nparent: "5"'),
    });
    expect((await run(['issues', 'move', '3', 'done'])).out).toBe('3 is now Done');
    expect((await run(['issues', 'move', '4', 'done'])).out).toBe(
      '4 is now Done; its parent 2 is now Done; its parent 1 is now Done',
    );
    expect((await run(['issues', 'move', '6', 'done'])).out).toBe('6 is now Done');
    expect(await json('issues', 'show', '5')).toMatchObject({ state: 'Plan in Progress' });
  });

  it('names what is broken on stderr, and exits with 1 when nothing can be read', async () => {
    const { run } = createShell({
      ...native('1', 'title: One\nblockedBy: [gone]'),
      'prd.json': '{',
      '.ralph/config.yaml': 'flow: {tracker: native}\n',
    });
    const listed = await run(['issues']);
    expect(listed).toMatchObject({ code: 0, out: '1  Backlog    One  waits for gone' });
    expect(listed.notes).toContain(
      'issue 1 names gone, which does not exist; an unknown blocker does not count',
    );
    expect(await run(['issues', '--tracker', 'prd'])).toMatchObject({
      code: 1,
      notes:
        "ralph-tui: prd.json is not JSON with a userStories list; correct line 1 (Expected property name or '}')",
    });
    expect((await run(['issues', '--tracker', 'markdown', '--json'])).out).toContain(
      '"message":"TODO.md does not exist"',
    );
  });
});

it('a file of the workspace is not blamed for the tracker of your own configuration', async () => {
  const { run } = createShell({
    '.ralph/config.yaml': 'flow: {auto_merge: true}\n',
    'config/ralph-tui/config.yaml': 'flow: {tracker: beads}\n',
  });
  const { notes } = await run(['issues'], { PATH: '/nowhere' });
  expect(notes).not.toContain('.ralph/config.yaml');
  expect(notes).toContain('bd cannot be started');
});

it('a tracker that starts a program is not taken from a file that nobody trusted', async () => {
  const { run } = createShell({
    '.ralph/config.yaml': `flow: {tracker: gh}\nroles: {executor: own}\nagents: {own: {type: command, command: [${process.execPath}]}}\n`,
  });
  expect(await run(['issues'])).toMatchObject({
    code: 2,
    notes: expect.stringMatching(/asks for the tracker gh, but is not trusted yet; add --tracker gh$/),
  });
  // --yes accepts what would run once it was read, and not the reading.
  const refused = await run(['run', '--issue', '1', '--yes', '--headless', '--permissions', 'edits']);
  expect(refused.code).toBe(2);
  expect(refused.notes).toBe(
    'ralph-tui: .ralph/config.yaml asks for the tracker gh, but is not trusted yet; add --tracker gh',
  );
});

it('an unknown command about issues is named, with the one that was meant', async () => {
  const { run } = createShell();
  expect(await run(['issues', 'add', 'x'])).toMatchObject({
    code: 2,
    notes: 'ralph-tui: unknown command "add"; see `ralph-tui issues --help`',
  });
  expect((await run(['issues', 'moev', '1', 'done'])).notes).toBe(
    'ralph-tui: unknown command "moev"; did you mean `ralph-tui issues move`?',
  );
  expect((await run(['issues', 'list', 'x'])).notes).toMatch(/too many arguments for 'list'.*: x; see `/);
});

describe('flow', () => {
  const files = {
    ...native('1', 'title: One\nstate: ready-for-plan\nparent: 4'),
    ...native('2', 'title: Two\nstate: ready-for-plan\nparent: 4'),
    ...native('3', 'title: Three\nstate: ready-for-plan\nblockedBy: [2]'),
    ...native('4', 'title: Epic'),
    'thoughts/shared/research/2026-01-01-GH-0001-one.md': '---\ngithub_issue: 1\nfiles: [src/a.ts]\n---\n',
    'thoughts/shared/research/2026-01-01-GH-0002-two.md': '---\nfiles: [src/b/]\n---\n',
    'thoughts/shared/research/2026-01-01-GH-0003-three.md': '---\nfiles: [src/b/c.ts]\n---\n',
  };

  it('tells position, group, streams, tasks and roster of an issue', async () => {
    const { json, run } = createShell(files);
    expect(await json('flow', 'position', '--issue', '3')).toMatchObject({
      phase: 'PLAN',
      recommendation: 'proceed',
      remaining_phases: ['PLAN', 'REVIEW', 'HUMAN_GATE', 'IMPLEMENT'],
      suggested_roster: { analyst: 0, builder: 2, validator: 1, integrator: 1 },
    });
    expect(await json('flow', 'group', '--issue', '2')).toEqual({
      primary: '1',
      order: ['1', '2', '3', '4'],
      cycles: [],
    });
    expect(await json('flow', 'streams', '--issue', '2')).toMatchObject([
      { primary: '1', issues: ['1'], files: ['src/a.ts'] },
      { primary: '2', issues: ['2', '3'], files: ['src/b', 'src/b/c.ts'] },
    ]);
    expect((await run(['flow', 'tasks', '--issue', '2', '--only'])).out.split('\n')).toEqual([
      'plan-2  Plan GH-2 → builder',
      'review-2  Review plan for GH-2 → you  ← plan-2',
      'implement-2  Implement GH-2 → builder  ← review-2',
      'pr-2  Create PR for GH-2 → integrator  ← implement-2',
    ]);
    expect((await run(['flow', 'roster', '--issue', '1'])).out).toBe(
      'analyst: 0\nbuilder: 2\nvalidator: 1\nintegrator: 1',
    );
    expect((await run(['flow', 'position', '--issue', '1'])).out).toContain('PLAN: 1, 2, 3 need a plan');
  });

  it('finds the plan of an issue in progress, and asks before it takes on a large group', async () => {
    const { run } = createShell({
      ...files,
      ...native('5', 'title: Five\nstate: plan-in-progress'),
      'thoughts/shared/plans/2026-01-01-GH-0005-five.md': 'plan',
      '.ralph/config.yaml': 'flow: {max_group: 3}\n',
    });
    expect((await run(['flow', 'position', '--issue', '5'])).out).toContain(
      'REVIEW: 5 needs a review of the plan',
    );
    expect(await run(['flow', 'position', '--issue', '1'])).toMatchObject({
      code: 2,
      notes: expect.stringContaining('the group of 1 has 4 issues, but flow.max_group is 3; add --only'),
    });
  });

  it('exits with 1 when issues wait for each other', async () => {
    const { run } = createShell({
      ...native('1', 'title: a\nblockedBy: 2'),
      ...native('2', 'title: b\nblockedBy: [1]'),
    });
    expect(await run(['flow', 'group', '--issue', '1'])).toMatchObject({
      code: 1,
      out: '1\n2\ncycle: 1, 2',
    });
    expect((await run(['issues', 'graph'])).out).toContain('cycle: 1 → 2 → 1');
  });
});
