import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainOptions } from '../../src/signals/question-kinds.ts';
import { refusedLine, tell } from '../helpers/ask.ts';
import { ended } from '../helpers/scenes/arriving.ts';
import { waitingForReview } from '../helpers/scenes/changing.ts';
import { scenes } from '../helpers/scenes/index.ts';
import { storedId, storeStory } from '../helpers/stored-story.ts';
import { createStory, type Story, task, twoSideBySide } from '../helpers/story.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { writeIn } from '../helpers/workspace.ts';

const source = join(import.meta.dirname, '../../src');

/** A command line in words, as a shell takes it. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

/** The commands of this program in backticks, or after a label of a summary. */
const commandsIn = (text: string): readonly string[] =>
  [
    ...[...text.matchAll(/`([^`]*\bralph-tui [^`]+)`/g)].map(([, line = '']) => line),
    ...[...text.matchAll(/^ *(?:continue|again|decide|watch) +(.*\bralph-tui .*)$/gm)].map(
      ([, line = '']) => line,
    ),
  ]
    .flatMap((line) => line.split(' && '))
    .filter((line) => line.startsWith('ralph-tui '))
    .map((line) => line.replace(/ \(.*$/, ''));

const comment = /^\s*(?:\/\*|\*|\/\/).*$/gm;
const written = /\\?`((?:\$\{[^}]*\})?ralph-tui [a-z](?:\$\{[^}]*\}|[^`\\$])*)\\?`/g;

/** The words that the program puts in place of an expression: the session, or what follows a hold. */
const filledIn = (line: string): string =>
  line
    .replaceAll(/\$\{here\}/g, ` --session ${storedId}`)
    .replaceAll(/\$\{held \?[^}]*\}/g, ' --lift')
    .replaceAll(/\$\{(?:there|goTo)[^}]*\}/g, '')
    .replaceAll(/&& \$\{resume\w*\}/g, `&& ralph-tui resume ${storedId}`)
    .replaceAll(/--attempt \$\{[^}]*\}/g, '--attempt 1')
    .replaceAll(/\$\{[^}]*\}/g, storedId)
    .replace(/ N\b/, ' 1');

/** Every command line that stands between backticks in a sentence of the sources, with an id in place of each value. */
const writtenInSources = (): readonly string[] =>
  globSync('**/*.ts', { cwd: source })
    .map((file) => readFileSync(join(source, file), 'utf8').replaceAll(comment, ''))
    .flatMap((text) => [...text.matchAll(written)].flatMap(([, line = '']) => filledIn(line).split(' && ')))
    .filter((line) => line.startsWith('ralph-tui '));

test('every command that a sentence of the program names is taken by the program', async () => {
  const lines = [...new Set(writtenInSources())];
  expect(lines.length).toBeGreaterThan(45);
  const refused: string[] = [];
  for (const line of lines) {
    const words = wordsOf(line).slice(1);
    if (words.includes('--help')) continue;
    const why = await refusedLine(words);
    // A name alone, as in "with a key or `ralph-tui review`", stands for the command.
    const isName = words.length <= 2 && why?.includes('missing required argument') === true;
    if (why !== null && !isName) refused.push(`${line}: ${why}`);
  }
  expect(refused).toEqual([]);
});

const stops = (story: Story, status: 'paused' | 'completed' | 'awaiting_feedback', reason: string): Story =>
  story.add({ type: 'session.stopped', session_id: storedId, status, reason, exit_code: 4 });

/** What a person may find when coming back. */
const situations: readonly (readonly [string, () => Story])[] = [
  ['a command failed for good', ended],
  [
    'held',
    () =>
      stops(
        twoSideBySide()
          .add({ type: 'hold.requested', signal: null, by: 'kim' })
          .add({ type: 'hold.begun', processes: 0 }),
        'paused',
        'quit',
      ),
  ],
  [
    'a question waits',
    () =>
      stops(
        twoSideBySide().add({
          type: 'question.asked',
          kind: 'ask',
          request: 'q1',
          text: 'Formal or not?',
          options: plainOptions(['formal', 'informal']),
          invocation: null,
        }),
        'paused',
        'waits for a person',
      ),
  ],
  [
    'the plan waits',
    () =>
      stops(
        createStory()
          .begin()
          .tasks([task('init'), task('schema', ['init'])])
          .add({ type: 'gate.opened', gate: 'plan', iteration: 1, deadline_ms: null, files: ['plan.md'] })
          .add({
            type: 'question.asked',
            kind: 'ask',
            request: 'plan',
            text: 'Approve the plan?',
            options: plainOptions(['approve', 'reject']),
            invocation: null,
          }),
        'paused',
        'waits for a person',
      ),
  ],
  [
    'lessons wait',
    () => stops(twoSideBySide().knowledgeGate(['how-to/add.md']), 'paused', 'waits for a person'),
  ],
  ['a review waits', () => stops(waitingForReview(), 'paused', 'waits for a person')],
  [
    'a merge had a conflict',
    () =>
      stops(
        twoSideBySide()
          .add({ type: 'merge.conflicted', task: 'init', attempt: 1, files: ['a.ts'], against: ['schema'] })
          .add({
            type: 'question.asked',
            kind: 'merge',
            request: 'merge:init:1',
            text: 'init and schema changed the same lines. Whose?',
            options: plainOptions(['retry', 'drop']),
            invocation: null,
          }),
        'paused',
        'waits for a person',
      ),
  ],
  [
    'a limit was reached',
    () =>
      stops(
        twoSideBySide().add({ type: 'limit.reached', limit: 'max_cost', reason: 'max_cost of 5 is reached' }),
        'paused',
        'max_cost of 5 is reached',
      ),
  ],
  ['it crashed at work', () => twoSideBySide()],
  ['it is complete', () => stops(createStory().begin().state('COMPLETE'), 'completed', 'done')],
];

/** Long form: every story of the screen's scenes besides. */
const stories = new Map(scenes.flatMap(({ name, story }) => (story ? [[story, name] as const] : [])));
const all = [
  ...situations,
  ...(isLongForm ? [...stories].map(([story, name]) => [name, story] as const) : []),
];

const here = ['--session', storedId];

/** What a person may type about a session, and much of it at the wrong time. */
const questions: readonly (readonly string[])[] = [
  ['status', ...here],
  ['tasks', 'why', 'docs', ...here],
  ['signal', 'INFO', 'note', ...here],
  ['approve', ...here],
  ['retry', 'init', ...here],
  ['sessions'],
  ['report', ...here],
  ['logs', 'nobody', ...here],
  ['signals', 'withdraw', 'nothing', ...here],
  ['answer', 'nobody', 'yes', ...here],
  ['cancel', 'init', ...here],
  ['signal', 'PAUSE', ...here],
  ['feedback', 'add', 'Mend it', ...here],
  ['diff', ...here],
  ['undo', 'init', '--yes', ...here],
];

/** They begin to work, or need a screen or a file in the mailbox: `test/e2e/printed-commands.test.ts` and `test/e2e/review.test.ts` type them. */
const starts = /^ralph-tui (?:resume|attach|run|demo|init|scan|guidance|doctor|signals confirm)\b/;

describe('each command that is printed', () => {
  test.each(all)('when %s is about that session, is taken, and does what it says', async (name, story) => {
    const printed = new Set<string>();
    // Errors that name no state of the session are the same in every situation.
    for (const question of isLongForm || name === situations[0]?.[0] ? questions : questions.slice(0, 5)) {
      const { text } = await tell(question, { cwd: storeStory(story()) });
      for (const line of commandsIn(text)) printed.add(line);
    }
    const failed: string[] = [];
    for (const line of printed) {
      const words = wordsOf(line.replace('NAME', 'script')).slice(1);
      if (!/^ralph-tui (?:demo|run|sessions|init|issues)\b/.test(line) && !line.includes(storedId))
        failed.push(`${line}: names no session`);
      if (starts.test(line)) {
        const why = await refusedLine(words);
        if (why !== null) failed.push(`${line}: ${why}`);
        continue;
      }
      const workspace = storeStory(story());
      // A newer one beside it, which nobody means.
      writeIn(workspace, '.ralph-sessions/270101-000000/journal.jsonl', '');
      const { code, text } = await tell(words, { cwd: workspace });
      if (code !== 0) failed.push(`${line}: exit ${code}: ${text}`);
    }
    expect(failed).toEqual([]);
    // Without it a run without a screen would end at once with 4.
    if (name === 'held') expect([...printed]).not.toContain(`ralph-tui resume ${storedId}`);
  });
});
