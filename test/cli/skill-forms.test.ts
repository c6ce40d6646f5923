import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { endSignals } from '../../src/cli/process-signals.ts';
import { createTypedLines } from '../../src/cli/typed-lines.ts';
import { checkDocument } from '../../src/skills/documents/check-document.ts';
import { createShell } from '../helpers/shell.ts';

/** Runs a skill whose person types these lines and then closes the input. */
const createTalk = (files: Readonly<Record<string, string>> = {}) => {
  const shell = createShell(files);
  const talk = (args: readonly string[], ...lines: readonly string[]) => {
    const stdin = new PassThrough();
    stdin.end(lines.map((line) => `${line}\n`).join(''));
    return shell.run(['skill', ...args], { USER: 'ada' }, '.', { typed: createTypedLines(stdin) });
  };
  const read = (path: string): string => readFileSync(join(shell.cwd, path), 'utf8');
  const ideas = (): readonly string[] => readdirSync(join(shell.cwd, 'thoughts/shared/ideas')).sort();
  return { ...shell, talk, read, ideas };
};
const today = new Date().toISOString().slice(0, 10);
const conversationIn = (out: string): string => /--continue (\d{6}-\d{6})/.exec(out)?.[1] ?? '';

describe('draft-idea without a model', () => {
  it('asks three questions and keeps an idea that fits its schema', async () => {
    const { talk, read, ideas } = createTalk();
    const { code, out } = await talk(
      ['draft-idea', 'Offline', 'mode'],
      'Read without network',
      '',
      'Trains',
      '',
      'Only reading',
      '',
      '',
    );
    expect(code).toBe(0);
    expect(out).toContain(`Kept: thoughts/shared/ideas/${today}-offline-mode.md`);
    expect(out).toContain(`Next: ralph-tui skill form-idea thoughts/shared/ideas/${today}-offline-mode.md`);
    const text = read(`thoughts/shared/ideas/${ideas()[0]}`);
    expect(text).toContain('author: ada\ntags: []\ngithub_issue: null\n---\n# Offline mode\n');
    expect(text).toMatch(/## Why This Matters\n\nTrains\n\n## Rough Shape\n\nOnly reading/);
    expect(checkDocument('idea', text, () => true)).toEqual([]);
  });

  it('keeps a skipped question as an open one, names similar ideas, and takes no name twice', async () => {
    const { talk, read, ideas } = createTalk();
    await talk(['draft-idea', 'Offline mode'], '', '', '', 'y');
    await talk(['draft-idea', 'Offline mode'], '', '', '', 'y');
    expect(ideas()).toEqual([`${today}-offline-mode-2.md`, `${today}-offline-mode.md`]);
    const second = read(`thoughts/shared/ideas/${ideas()[0]}`);
    expect(second).toContain('- What prompted it?\n');
    expect(second).toContain(
      `## Related\n\n- [Offline mode](thoughts/shared/ideas/${today}-offline-mode.md)`,
    );
  });

  it('asks for the topic without one, and again until there is one', async () => {
    const { talk, read, ideas } = createTalk();
    const { out } = await talk(['draft-idea'], '', 'A ŝpeech', '', '', '', 'y');
    expect(out).toContain('An answer is required.');
    expect(read(`thoughts/shared/ideas/${ideas()[0]}`)).toContain('# A ŝpeech');
  });

  it('listens for signals of the system only while it talks', async () => {
    const heard = () => endSignals.map((name) => process.listenerCount(name));
    const before = heard();
    const during: (readonly number[])[] = [];
    const { run } = createShell();
    const stdin = new PassThrough();
    const typed = createTypedLines(stdin);
    const watched = {
      ...typed,
      hold: (...args: Parameters<typeof typed.hold>) => {
        during.push(heard());
        return typed.hold(...args);
      },
    };
    stdin.end('\n\n\nn\n');
    await run(['skill', 'draft-idea', 'x'], {}, '.', { typed: watched });
    expect(during[0]).toEqual(before.map((count) => count + 1));
    expect(heard()).toEqual(before);
  });

  it('keeps nothing after a no', async () => {
    const { talk, cwd } = createTalk();
    expect((await talk(['draft-idea', 'x'], '', '', '', 'n')).out).toContain('Nothing was kept.');
    expect(readdirSync(cwd)).not.toContain('thoughts');
  });

  it('left at any question, goes on there', async () => {
    const { talk, ideas } = createTalk();
    const left = await talk(['draft-idea', 'x'], 'first', '', 'q');
    expect(left.code).toBe(3);
    const again = await talk(['--continue'], 'second', '', 'q');
    expect(again.out).not.toContain('What should be possible');
    expect(again.out).toContain('What prompted it?');
    const id = conversationIn(left.out);
    const { code, out } = await talk(['--continue', id, '--json'], 'shape', '', 'y');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      conversation: id,
      skill: 'draft-idea',
      ended: 'done',
      kept: { path: `thoughts/shared/ideas/${ideas()[0]}`, status: 'kept' },
      problems: [],
      made: [],
      spent: { input: 0, output: 0, cost: null },
    });
    expect(await talk(['--continue'])).toMatchObject({
      code: 2,
      notes: expect.stringContaining('no conversation is waiting here'),
    });
  });

  it('a skill that refuses to begin is no conversation that waits', async () => {
    const { talk } = createTalk();
    const left = await talk(['draft-idea', 'x'], 'first', '', 'q');
    expect(await talk(['form-idea'])).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/no ideas yet/),
    });
    const again = await talk(['--continue'], 'second', '', 'q');
    expect(again.out).toContain(`--continue ${conversationIn(left.out)}`);
    expect(again.out).toContain('What prompted it?');
  });

  it('writes nothing through a folder that leads out of the workspace', async () => {
    const { talk, cwd } = createTalk();
    const { symlinkSync } = await import('node:fs');
    const { tempDir } = await import('../helpers/temp-dir.ts');
    const outside = tempDir();
    symlinkSync(outside, join(cwd, 'thoughts'));
    expect(await talk(['draft-idea', 'x'], '', '', '', 'y')).toMatchObject({
      code: 1,
      notes: expect.stringContaining('points outside the workspace'),
    });
    expect(readdirSync(outside)).toEqual([]);
  });
});

const idea = (more = ''): string =>
  `---\ndate: 2026-11-01\nstatus: draft\ntype: idea\nauthor: ada\ntags: [a]\ngithub_issue: null\n${more}---\n# Offline mode\n\n## The Idea\n\nOffline mode\n\nPages without network.\n\n## Rough Shape\n\nOnly reading.\n`;
const file = 'thoughts/shared/ideas/2026-11-01-offline-mode.md';

describe('form-idea without a model', () => {
  it('makes one issue after the draft was approved, and the idea names it', async () => {
    const { talk, read, json } = createTalk({ [file]: idea('mine: keep # this\n') });
    const { code, out } = await talk(
      ['form-idea', file],
      'Pages can be read offline',
      '1',
      'A page opens',
      'Nothing is lost',
      '',
      '',
      '2',
      'y',
    );
    expect(code).toBe(0);
    expect(out).toContain('As I understand it: Pages without network.');
    expect(out).toContain('Created: 1: Pages can be read offline');
    expect(await json('issues', 'show', '1')).toMatchObject({
      estimate: 'S',
      body: '\n## Summary\n\nPages without network.\n\n## Acceptance Criteria\n\n- [ ] A page opens\n- [ ] Nothing is lost\n\n## Context\n\nOnly reading.\n',
    });
    expect(read(file)).toBe(
      idea('mine: keep # this\n')
        .replace('status: draft', 'status: formed')
        .replace('github_issue: null', 'github_issue: 1'),
    );
    expect(await talk(['form-idea', file])).toMatchObject({
      code: 2,
      notes: expect.stringContaining('has already been turned into issue 1'),
    });
  });

  it('makes a tree in its order', async () => {
    const { talk, json } = createTalk();
    await talk(
      ['form-idea', 'Offline mode'],
      '',
      '2',
      'It works',
      '',
      '',
      'xs: store pages',
      'read them',
      '',
      '1',
      'y',
    );
    expect(await json('issues')).toMatchObject([
      { id: '1', title: 'Offline mode' },
      { id: '2', title: 'store pages', estimate: 'XS', parent: '1', blockedBy: [] },
      { id: '3', title: 'read them', estimate: 'S', parent: '1', blockedBy: ['2'] },
    ]);
  });

  it('makes nothing without a yes, and nothing when it is a similar issue', async () => {
    const { talk, run, json } = createTalk({ [file]: idea() });
    await run(['issues', 'new', 'An offline mode for pages']);
    expect((await talk(['form-idea', file], '', '2')).out).toContain(
      'Nothing was created: it already exists as 1.',
    );
    expect((await talk(['form-idea', file], '', '1', '1', 'done', '', '', '1', 'n')).out).toContain(
      'Nothing was created.',
    );
    expect(await json('issues')).toHaveLength(1);
  });

  it('an approval in the journal of a conversation is asked for again', async () => {
    const { talk, cwd, json } = createTalk({ [file]: idea() });
    const { out } = await talk(['form-idea', file], '', '1', 'done', '', '', '1', 'q');
    const journal = join(cwd, '.ralph/conversations', conversationIn(out), 'journal.jsonl');
    writeFileSync(
      journal,
      `${readFileSync(journal, 'utf8')}{"type":"answered","id":"approve","answer":"yes"}\n`,
    );
    const asked = await talk(['--continue']);
    expect([asked.code, asked.out]).toEqual([3, '']);
    expect(asked.notes).toMatch(
      /conversation \d{6}-\d{6} \(changed since last trusted\) would be continued with words that this program did not write/,
    );
    expect(await talk(['--continue', '--yes'])).toMatchObject({
      code: 3,
      out: expect.stringContaining('Create this in your tracker?'),
    });
    expect(await json('issues')).toEqual([]);
  });

  it('makes each issue once when the program ended in between', async () => {
    const { talk, cwd, run, json } = createTalk();
    const { out } = await talk(
      ['form-idea', 'Offline mode'],
      '',
      '2',
      'It works',
      '',
      '',
      'one',
      'two',
      '',
      '1',
      'q',
    );
    await run(['issues', 'new', 'Offline mode']);
    const journal = join(cwd, '.ralph/conversations', conversationIn(out), 'journal.jsonl');
    writeFileSync(
      journal,
      `${readFileSync(journal, 'utf8')}{"type":"made","issue":{"id":"1","title":"Offline mode"}}\n`,
    );
    await talk(['--continue', '--yes'], '1', 'y');
    expect(await json('issues')).toMatchObject([
      { id: '1' },
      { title: 'one', parent: '1' },
      { title: 'two', parent: '1', blockedBy: ['2'] },
    ]);
  });

  it('offers the last ten drafts without an argument', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `thoughts/shared/ideas/2026-11-${String(at + 10)}-x.md`,
        idea().replace('# Offline mode', `# Idea ${at}`),
      ]),
    );
    const { talk } = createTalk({ ...files, [file]: idea().replace('status: draft', 'status: formed') });
    const { out } = await talk(['form-idea'], '1', 'q');
    expect(out).toContain('1  Idea 11\n');
    expect(out).toContain('10  Idea 2\n');
    expect(out).not.toContain('Idea 1\n');
    expect(out).toContain('What should be true when it is done, in one line?');
  });
});

test.each([
  ['an idea with broken front matter', ['form-idea', 'broken.md'], 1, /broken\.md:4: /],
  ['a file that is not there', ['form-idea', 'gone.md'], 2, /gone\.md does not exist/],
  ['a file outside', ['form-idea', '/etc/hostname'], 2, /is outside this workspace/],
  ['no idea at all', ['form-idea'], 2, /there are no ideas yet/],
  ['an unknown skill', ['write-poem', 'x'], 2, /no skill named write-poem can hold a conversation/],
  ['a phase, which works alone', ['triage', '42'], 2, /no skill named triage can hold a conversation/],
  [
    'a conversation that is not there',
    ['--continue', '990101-000000'],
    2,
    /no conversation 990101-000000 is waiting here/,
  ],
  [
    'a way out as conversation',
    ['--continue', '../../x'],
    2,
    /no conversation \.\.\/\.\.\/x is waiting here/,
  ],
])('%s is refused with one sentence', async (_, args, code, notes) => {
  const { talk } = createTalk({ 'broken.md': '---\nstatus: draft\ntags: [a\n---\n# x\n' });
  const result = await talk(args, '', '', '', '', '', '', '');
  expect(result).toMatchObject({ code, notes: expect.stringMatching(notes) });
  expect(result.notes.split('\n')).toHaveLength(1);
});

test('a refused skill of the repository is named at the start, with what is used instead', async () => {
  const { talk } = createTalk({
    '.ralph/skills/draft-idea/SKILL.md':
      '---\nname: draft-idea\ndescription: Ours, better.\n---\nRead [this](../../../secret.md).\n',
  });
  const { notes } = await talk(['draft-idea', 'x'], 'q');
  expect(notes).toMatch(
    /\.ralph\/skills\/draft-idea is not used: .*is outside the skill.* Used instead: the one that ships with ralph-tui\./,
  );
  expect((await createTalk().talk(['draft-idea', 'x'], 'q')).notes).toBe('');
});

test('a second conversation on one idea is refused with who has it', async () => {
  const { talk, cwd } = createTalk({ [file]: idea() });
  const { createWorld } = await import('../../src/cli/world.ts');
  const { startTalk } = await import('../../src/skills/talk/talk-journal.ts');
  const journal = startTalk({ ...createWorld(), workspace: cwd });
  journal.add({ type: 'started', skill: 'form-idea', argument: file, mode: 'form', agent: null, at: '' });
  journal.add({ type: 'about', path: file, text: '', edits: false });
  const refused = await talk(['form-idea', file]);
  expect(refused).toMatchObject({
    code: 1,
    notes: `ralph-tui: ${file}: the conversation ${journal.id} (form-idea, process ${process.pid}) is working on it; end that conversation first`,
  });
  journal.close();
  expect((await talk(['form-idea', file], 'q')).code).toBe(3);
});

test('a conversation that is open elsewhere is not continued', async () => {
  const { talk, cwd } = createTalk();
  mkdirSync(join(cwd, '.ralph'));
  const { createWorld } = await import('../../src/cli/world.ts');
  const { startTalk } = await import('../../src/skills/talk/talk-journal.ts');
  const journal = startTalk({ ...createWorld(), workspace: cwd });
  journal.add({ type: 'started', skill: 'draft-idea', argument: 'x', mode: 'form', agent: null, at: '' });
  expect(await talk(['--continue'])).toMatchObject({
    code: 1,
    notes: expect.stringContaining(`the conversation ${journal.id} is open in another terminal`),
  });
  journal.close();
});
