import type { ViewerPort } from '../../../components/ports/viewer-port.ts';
import { createStory, diamond, type Story, task, twoSideBySide } from '../story.ts';
import type { Scene } from './scene.ts';

const lines = Array.from({ length: 400 }, (_, index) => ({ at: index * 10, text: `line ${index}` }));
/** Logs, reports and differences to read; `stopped` is told which searches were given up. */
export const createViewer = (stopped: string[] = []): ViewerPort => ({
  readLog: (log) => Promise.resolve(log.attempt > 2 ? null : { size: 4_000, from: 0, to: 4_000, lines }),
  searchLog: (_, text, tell) => {
    tell({ at: [120, 1_500, 3_000], done: text !== 'slow', more: false });
    return () => {
      stopped.push(text);
    };
  },
  readDocument: () => Promise.resolve(null),
  readReport: ({ attempt }) =>
    Promise.resolve(
      `---\ntask_id: english\n---\n# Task Report: english\n\n### Summary of Changes\nWrote **all** greetings, attempt ${attempt}.\n\n| Criterion | Status | Evidence |\n| --- | --- | --- |\n| polite | ✅ Met | read it |\n| complete | ❌ Not met | 2 are missing |\n`,
    ),
  readChanges: ({ files }) =>
    Promise.resolve({
      files: files.map((path) => ({ path, added: 2, removed: 1 })),
      diff: 'diff --git a/src/english.ts b/src/english.ts\nindex 1..2 100644\n--- a/src/english.ts\n+++ b/src/english.ts\n@@ -1,3 +1,4 @@ export\n const a = 1;\n-const hi = "hi";\n+const hi = "hello";\n+const bye = "good bye";\n',
      cut: false,
      missing: null,
    }),
});

/** The same, but what is searched for is looked for in what the story printed. */
const viewerOf = (story: Story, subject: string, attempt: number): ViewerPort => ({
  ...createViewer(),
  searchLog: (_, wanted, tell) => {
    const text = story.events
      .flatMap((event) =>
        event.type === 'output.written' && event.task === subject && event.attempt === attempt
          ? [event.text]
          : [],
      )
      .join('');
    let byte = 0;
    const at: number[] = [];
    for (const line of text.split('\n')) {
      if (line.includes(wanted)) at.push(byte);
      byte += line.length + 1;
    }
    tell({ at, done: true, more: false });
    return () => {};
  },
});

/** A first attempt that failed and a second with four commands, in colours and with a line that is too long for any pane. */
export const secondAttempt = (): Story => {
  const story = twoSideBySide().commandEnds('english', false, 1).fails('english', 'two are missing');
  story.starts('english', 2);
  for (const index of [0, 1, 2, 3])
    story
      .command('english', `node step.js ${index}`, index, 5)
      .prints('english', `\u001b[32mpassed\u001b[0m ${index}\n${'0123456789 '.repeat(index * 8)}\n`)
      .commandEnds('english', index !== 1, index);
  return story.command('english', 'npm test', 4, 5).prints('english', 'running');
};

const split = (): Story =>
  createStory()
    .begin()
    .tasks([
      ...diamond.filter(({ id }) => id !== 'docs'),
      task('docs', ['schema'], { title: 'Reference pages', replaced_by: ['docs-a', 'docs-b'] }),
      task('docs-a', ['schema'], { title: 'Half of them' }),
      task('docs-b', ['docs-a'], { title: 'The other half' }),
    ]);

const read = (name: string, story: () => Story, keys: readonly string[]): Scene => ({
  name,
  story,
  options: { viewer: createViewer() },
  act: (screen) => screen.press(...keys),
});

/** From anywhere to the task that was tried twice. */
export const toEnglish = ['g', 'j', 'j'] as const;

/** Output, Changes, Details and the narrowed list of tasks. */
export const readingScenes: readonly Scene[] = [
  read('output-blocks', secondAttempt, [...toEnglish, '1']),
  {
    ...read('output-search', secondAttempt, [...toEnglish, '/', 'p', 'a', 's', 's', 'e', 'd', 'enter', 'n']),
    options: { viewer: viewerOf(secondAttempt(), 'english', 2) },
  },
  read('output-prompt', secondAttempt, ['/', 'q', 's']),
  read('output-raw', secondAttempt, [...toEnglish, 't', 'pageup']),
  read('changes', secondAttempt, [...toEnglish, '2', '<']),
  read('changes-committed', () => {
    const story = twoSideBySide().commandEnds('english').qualifies('english');
    const last = story.events.findLastIndex((event) => event.type === 'task.qualified');
    const done = story.events[last];
    if (done?.type === 'task.qualified')
      story.add({ ...done, commit: '4f2a9c1d7e8b6a5c4d3e2f1a0b9c8d7e6f5a4b3c' });
    return story;
  }, [...toEnglish, '2']),
  read('details-report', secondAttempt, [...toEnglish, 'enter', '<', 'G']),
  read('tasks-filter', secondAttempt, ['f', 'w', 'a', 'i', 't', 's']),
  read('tasks-neighbours', secondAttempt, [...toEnglish, 'v']),
  read('tasks-split', split, ['z']),
];
