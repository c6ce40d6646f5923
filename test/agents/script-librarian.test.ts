import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Brief, TaskBrief } from '../../src/agents/port.ts';
import { parseKnowledge, parseKnowledgeIndex } from '../../src/session/knowledge.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { liveRole } from '../helpers/live-role.ts';
import { briefOf, go, steer, taskOf } from '../helpers/role-port.ts';
import { commands } from '../helpers/script-backend.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const sid = '260215-101500';
const session = (some: Partial<Brief> = {}): Brief => {
  const workspace = tempDir();
  return briefOf({
    role: 'Librarian',
    mode: 'STAGE',
    invocation: 'Librarian-1',
    workspace,
    sessionDirectory: join(workspace, '.ralph-sessions', sid),
    tasks: [
      done({
        id: 'one',
        title: 'First',
        files: ['a.txt'],
        run: commands('echo a > a.txt', ['printf', '%s', 'a b']),
      }),
    ],
    ...some,
  });
};
const done = (task: Partial<TaskDefinition>, attempts = 1): TaskBrief => ({
  definition: taskOf(task),
  status: 'done',
  attempts,
});
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const knowledge = (brief: Brief, file: string): string =>
  join(brief.sessionDirectory, `iterations/${brief.iteration}/knowledge`, file);
const read = (path: string): string => readFileSync(path, 'utf8');

const howTo = 'how-to/ship-the-greeting-service-commands.md';
const reference = 'reference/ship-the-greeting-service-files.md';
const lessons = 'explanation/ship-the-greeting-service-lessons.md';

describe('STAGE', () => {
  test('keeps how each task was done, which files it made, and what went wrong first', async () => {
    const brief = session();
    const reports = join(brief.sessionDirectory, 'iterations/1/reports');
    put(
      join(reports, 'one-report.md'),
      '# Task Report: one\n## PART 1: IMPLEMENTATION REPORT\n### Summary of Changes\n- STEER applied in-place: greet in French (nothing was done yet)\n### Blockers\n- `make` exited 2 after 1 s\n',
    );
    put(
      join(reports, 'one-report-r2.md'),
      '# Task Report: one [Attempt 2]\n## PART 1: IMPLEMENTATION REPORT\n### Summary of Changes\n- Changed `a.txt`.\n',
    );
    const staged = { ...brief, tasks: brief.tasks.map((task) => ({ ...task, attempts: 2 })) };
    const { end } = await liveRole(staged);
    expect(end.outcome).toMatchObject({ staged: [howTo, reference, lessons], carried: [], dropped: [] });
    // A list cuts titles at their end, so that they begin with what tells them apart.
    const titles = [howTo, reference, lessons].map(
      (file) => /^# (\S+)/m.exec(read(knowledge(brief, file)))?.[1],
    );
    expect(titles).toEqual(['Commands', 'Files', 'Failures,']);
    expect(read(knowledge(brief, howTo))).toContain("```sh\necho a > a.txt\nprintf %s 'a b'\n```");
    expect(parseKnowledge(read(knowledge(brief, reference)), '').value).toMatchObject({
      category: 'reference',
      source_session: sid,
      source_iteration: 1,
      source_artifacts: ['reports/one-report-r2.md'],
      carried_from_iteration: null,
      promoted_at: null,
    });
    const learned = read(knowledge(brief, lessons));
    expect(learned).toContain('- Attempt 1: STEER applied in-place: greet in French');
    expect(learned).toContain('- Attempt 1 failed: `make` exited 2 after 1 s');
    expect(learned).toContain('- Attempt 2 passed. Changed `a.txt`.');
    const index = parseKnowledgeIndex(read(knowledge(brief, 'index.md')));
    expect(index.map(({ file, carried }) => [file, carried])).toEqual([
      [howTo, false],
      [reference, false],
      [lessons, false],
    ]);
  });

  test('stages nothing when nothing was done', async () => {
    const { end } = await liveRole(session({ tasks: [] }));
    expect(end.outcome).toMatchObject({ staged: [], dropped: [] });
    expect(end.artifacts).toEqual([]);
  });

  test('is filtered again by a STEER that speaks against a category or a document', async () => {
    const { end } = await liveRole(session(), { 'Librarian.collected': go(steer('no how-to this time')) });
    expect(end.outcome).toMatchObject({ staged: [reference], dropped: [howTo] });
  });

  test('tells that it followed a STEER, which nothing else would carry', async () => {
    const said = steer('no how-to this time');
    const { facts } = await liveRole(session(), { 'Librarian.collected': go(said) });
    expect(facts.filter(({ type }) => type === 'message.arrived')).toMatchObject([
      { id: said.id, way: 'document', detail: 'in what is staged' },
    ]);
  });

  test.each(['Librarian.stage', 'Librarian.collected'] as const)(
    'says at %s what it cannot do when a STEER changes its scope',
    async (checkpoint) => {
      const { end, facts } = await liveRole(session(), {
        [checkpoint]: go(steer('write a tutorial for newcomers, too')),
      });
      expect(end.outcome).toMatchObject({ status: 'completed', staged: [howTo, reference], dropped: [] });
      expect(facts.filter(({ type }) => type === 'steer.decided')).toMatchObject([
        {
          verdict: 'not followed',
          action: 'STEER had no effect: write a tutorial for newcomers, too',
          evidence: expect.stringMatching(
            /can only leave out documents, by category \(tutorials, how-to, reference, explanation\)/,
          ),
        },
      ]);
    },
  );

  test('names its documents after the goal without its secrets', async () => {
    const { end } = await liveRole(session({ goal: 'Fetch https://kim:tr0ub4dor3@host.example/x' }));
    expect(end.outcome).toMatchObject({
      staged: ['how-to/fetch-https-kim-redacted-host-example-commands.md', expect.any(String)],
    });
    const late = await liveRole(session({ goal: `Use ghp_${'Cd4'.repeat(12)}` }));
    expect(late.end.outcome).toMatchObject({
      staged: ['how-to/use-redacted-commands.md', 'reference/use-redacted-files.md'],
    });
  });

  test('a command with backticks does not end its own code block', async () => {
    const brief = session({ tasks: [done({ run: commands('echo ```') })] });
    await liveRole(brief);
    expect(read(knowledge(brief, howTo))).toContain('````sh\necho ```\n````');
  });
});

describe('carry-forward', () => {
  const later = (brief: Brief, iteration: number): Brief => ({
    ...brief,
    iteration,
    at: `2026-02-${14 + iteration}T00:00:00.000Z`,
    tasks: [],
  });

  test('takes along what nobody promoted, with its markers, as often as the settings say', async () => {
    const brief = session();
    await liveRole(brief);
    const second = await liveRole(later(brief, 2));
    expect(second.end.outcome).toMatchObject({ staged: [howTo, reference], carried: [howTo, reference] });
    expect(parseKnowledge(read(knowledge(later(brief, 2), howTo)), '').value).toMatchObject({
      source_iteration: 1,
      carried_from_iteration: 1,
      original_staged_at: '2026-02-15T03:15:00.000Z',
      staged_at: '2026-02-16T00:00:00.000Z',
      carry_reason: 'neither approved nor permanently skipped in iteration 1',
    });
    expect(parseKnowledgeIndex(read(knowledge(later(brief, 2), 'index.md')))).toMatchObject([
      { carried: true },
      { carried: true },
    ]);
    const third = await liveRole(later(brief, 3));
    expect(third.end.outcome).toMatchObject({ carried: [howTo, reference] });
    const fourth = await liveRole(later(brief, 4));
    expect(fourth.end.outcome).toMatchObject({ staged: [], dropped: [howTo, reference] });
  });

  test('stands beside what the iteration itself taught, and gives way to a newer document of the same name', async () => {
    const brief = session();
    await liveRole(brief);
    const newer = 'reference/ship-the-greeting-service-files-iteration-2.md';
    put(join(brief.sessionDirectory, 'iterations/1/knowledge', newer), '# An older one of that name\n');
    const again = {
      ...later(brief, 2),
      tasks: [...brief.tasks, done({ id: 'two', iteration: 2, files: ['b.txt'] })],
    };
    const { end } = await liveRole(again);
    expect(end.outcome).toMatchObject({
      staged: [newer, howTo, reference],
      carried: [howTo, reference],
      dropped: [newer],
    });
    expect(read(knowledge(again, newer))).toContain('b.txt');
    expect(read(knowledge(again, newer))).not.toContain('a.txt');
  });

  test('leaves behind what was promoted', async () => {
    const brief = session();
    await liveRole(brief);
    await liveRole({ ...brief, mode: 'PROMOTE', promote: [howTo] });
    expect((await liveRole(later(brief, 2))).end.outcome).toMatchObject({ carried: [reference] });
  });
});

describe('PROMOTE', () => {
  test('copies all or the chosen files with promoted_at, and lists them', async () => {
    const brief = session();
    await liveRole(brief);
    const some = await liveRole({ ...brief, mode: 'PROMOTE', promote: [reference] });
    expect(some.end.outcome).toMatchObject({ promoted: [reference] });
    const docs = join(brief.workspace, '.docs');
    expect(existsSync(join(docs, howTo))).toBe(false);
    expect(read(join(docs, reference))).toBe(read(knowledge(brief, reference)));
    expect(parseKnowledge(read(join(docs, reference)), '').value.promoted_at).toBe(brief.at);
    const all = await liveRole({ ...brief, mode: 'PROMOTE' });
    expect(all.end.outcome).toMatchObject({ promoted: [howTo] });
    expect(parseKnowledgeIndex(read(join(docs, 'index.md'))).map(({ file }) => file)).toEqual([
      'ship-the-greeting-service-files.md',
      'ship-the-greeting-service-commands.md',
    ]);
  });

  test('says that a STEER cannot change what was approved', async () => {
    const brief = session();
    await liveRole(brief);
    const { end, facts } = await liveRole(
      { ...brief, mode: 'PROMOTE', promote: [howTo] },
      { 'Librarian.promote': go(steer('add the reference, too')) },
    );
    expect(end.outcome).toMatchObject({ status: 'completed', promoted: [howTo] });
    expect(facts.filter(({ type }) => type === 'steer.decided')).toMatchObject([
      {
        action: 'STEER had no effect: add the reference, too',
        evidence: expect.stringMatching(/writes the approved documents/),
      },
    ]);
  });

  test.each([
    ['only the how-to', steer('promote only the how-to'), [howTo], 'adjust'],
    ['all but a file', steer(`not ${howTo}`), [reference], 'adjust'],
    ['what is not approved', steer('only the tutorials'), [howTo, reference], 'not followed'],
    [
      'as nobody known',
      { ...steer('not the how-to'), unproven: true as const },
      [howTo, reference],
      'not followed',
    ],
  ] as const)(
    'a STEER before it chooses %s of what was approved',
    async (_what, message, promoted, verdict) => {
      const brief = session();
      await liveRole(brief);
      const { end, facts } = await liveRole(
        { ...brief, mode: 'PROMOTE', promote: [howTo, reference] },
        { 'Librarian.promote': go(message) },
      );
      expect(end.outcome).toMatchObject({ promoted });
      expect(facts.find(({ type }) => type === 'steer.decided')).toMatchObject({ verdict });
      const carried = facts.filter(({ type }) => type === 'message.arrived');
      expect(carried).toMatchObject(verdict === 'adjust' ? [{ way: 'document', id: message.id }] : []);
    },
  );

  test('never overwrites a document that is not this session’s, by whatever means it has the name', async () => {
    const brief = session();
    await liveRole(brief);
    const docs = join(brief.workspace, '.docs');
    put(join(docs, howTo), '# My own\n');
    put(join(brief.workspace, 'secret'), 'secret');
    mkdirSync(join(docs, 'reference'));
    symlinkSync(join(brief.workspace, 'secret'), join(docs, reference));
    const { end, facts } = await liveRole({ ...brief, mode: 'PROMOTE' });
    expect(end.outcome).toMatchObject({ status: 'completed', promoted: [] });
    expect(end.outcome.blockers[0]).toBe(
      `${howTo} was not promoted: .docs/${howTo} already exists, and this session did not write it; move that file or rename the lesson`,
    );
    expect(facts).toMatchObject([{ type: 'finding.noted' }, { type: 'finding.noted' }]);
    expect(read(join(docs, howTo))).toBe('# My own\n');
    expect(read(join(brief.workspace, 'secret'))).toBe('secret');
  });

  test('keeps what others wrote in the index, and a second session finds another name', async () => {
    const brief = session();
    const docs = join(brief.workspace, '.docs');
    put(join(docs, 'index.md'), '# Ours\n\nKept words.\n');
    put(join(docs, howTo), '---\nsource_session: 260101-000000\n---\n# Theirs\n');
    const { end } = await liveRole(brief);
    const own = `how-to/ship-the-greeting-service-commands-${sid}.md`;
    expect(end.outcome).toMatchObject({ staged: [own, reference] });
    await liveRole({ ...brief, mode: 'PROMOTE' });
    expect(read(join(docs, 'index.md'))).toContain('Kept words.');
    expect(read(join(docs, 'index.md'))).toContain(own);
  });

  test('goes where the settings say', async () => {
    const knowledgeSettings = { ...defaultSettings.knowledge, docs_dir: 'documents/kept' };
    const brief = session({ settings: { ...defaultSettings, knowledge: knowledgeSettings } });
    await liveRole(brief);
    await liveRole({ ...brief, mode: 'PROMOTE' });
    expect(existsSync(join(brief.workspace, 'documents/kept', howTo))).toBe(true);
  });
});
