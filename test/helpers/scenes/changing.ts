import type { ChangedFile, ViewerPort } from '../../../components/ports/viewer-port.ts';
import { conflictOptions, refusedOptions } from '../../../src/pipeline/changes/merging.ts';
import { reviewOptions } from '../../../src/pipeline/changes/person-review.ts';
import { executorOutcome } from '../outcomes.ts';
import { paneKeys } from '../pane-key.ts';
import type { Story } from '../story.ts';
import { createViewer, secondAttempt, toEnglish } from './reading.ts';
import type { Scene } from './scene.ts';

/** A viewer whose git gives these files and this diff. */
export const changesViewer = (files: readonly ChangedFile[], diff: string): ViewerPort => ({
  ...createViewer(),
  readChanges: () => Promise.resolve({ files, diff, cut: false, missing: null }),
});

/** Two files edited. */
export const edited = changesViewer(
  [
    { path: 'src/greeting.ts', added: 5, removed: 3 },
    { path: 'src/languages/index.ts', added: 1, removed: 0 },
  ],
  `diff --git a/src/greeting.ts b/src/greeting.ts
index 1111111..2222222 100644
--- a/src/greeting.ts
+++ b/src/greeting.ts
@@ -8,9 +8,9 @@ import { languages } from './languages/index.ts';
 
 /** What to say to whom. */
 export const greeting = (name: string, language: string): string => {
-  const words = languages.get(language);
-  if (words === undefined) return "Hello";
-  return words.hello + name;
+  const words = languages.get(language) ?? languages.get('en');
+  if (words === undefined) throw new Error(\`nobody speaks \${language} here\`);
+  return \`\${words.hello}, \${name}!\`;
 };
 
 /** All of them. */
@@ -97,3 +97,5 @@ export const all = (): readonly string[] => {
   const known = [...languages.keys()];
   return known;
 };
+
+export const first = (): string => all()[0] ?? 'en';
diff --git a/src/languages/index.ts b/src/languages/index.ts
index 3333333..4444444 100644
--- a/src/languages/index.ts
+++ b/src/languages/index.ts
@@ -1,2 +1,3 @@
 export { english } from './english.ts';
+export { vietnamese } from './vietnamese.ts';
 export { languages } from './languages.ts';
`,
);

const odd = changesViewer(
  [
    { path: 'docs/guide.md', added: 1, removed: 1 },
    { path: 'run.sh', added: 0, removed: 0 },
    { path: 'logo.png', added: null, removed: null },
    { path: 'old.txt', added: 0, removed: 1 },
    { path: 'latin.txt', added: 1, removed: 0 },
  ],
  `diff --git a/guide.md b/docs/guide.md
similarity index 90%
rename from guide.md
rename to docs/guide.md
--- a/guide.md
+++ b/docs/guide.md
@@ -3 +3 @@ A guide
-See [the list](list.md).
\\ No newline at end of file
+See [the list](../list.md).
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/logo.png b/logo.png
index 5555555..6666666 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone\r
diff --git a/latin.txt b/latin.txt
new file mode 100644
--- /dev/null
+++ b/latin.txt
@@ -0,0 +1 @@
+gr\ufffd\ufffde
`,
);

const wideDiff = `diff --git a/locales/日本語.json b/locales/日本語.json
--- a/locales/日本語.json
+++ b/locales/日本語.json
@@ -1,4 +1,4 @@
 {
-  "hello": "こんにちは、世界。今日もいい天気ですね。どうぞよろしくお願いします。",
-\t"bye": "e\u0301 \u{1F468}\u200d\u{1F469}\u200d\u{1F467} さようなら"
+  "hello": "こんばんは、世界。今日もいい天気ですね。どうぞよろしくお願いします。",
+\t"bye": "e\u0301 \u{1F468}\u200d\u{1F469}\u200d\u{1F467} またね"
 }
`;
const wide = changesViewer([{ path: 'locales/日本語.json', added: 2, removed: 2 }], wideDiff);

/** The second attempt of `english` is finished and waits for a person. */
export const waitingForReview = (): Story => {
  const story = secondAttempt().commandEnds('english', true, 4);
  const task = 'english';
  const invocation = story.events.findLast((event) => event.type === 'task.started')?.invocation ?? '';
  story.add({ type: 'invocation.ended', invocation, outcome: executorOutcome(task, 2) });
  story.add({ type: 'task.submitted', task, attempt: 2, invocation, files: ['src/greeting.ts'] });
  return story.add({
    type: 'question.asked',
    kind: 'review',
    request: 'review:english:2',
    text: 'Accept english (English greetings), attempt 2?',
    task,
    attempt: 2,
    options: reviewOptions(false),
    invocation: null,
  });
};

/** It was accepted, and conflicts with what is merged. */
export const inConflict = (): Story => {
  const story = waitingForReview();
  const of = { task: 'english', attempt: 2 };
  const request = 'merge:english:2:1';
  story.add({
    type: 'question.answered',
    request: 'review:english:2',
    answer: 'accept',
    by: 'kim',
    signal: 's',
  });
  story.add({
    type: 'worktree.prepared',
    ...of,
    invocation: 'i',
    directory: '/trees/english-2',
    branch: 'ralph-attempt/s/english/2',
  });
  story.add({ type: 'merge.started', ...of });
  story.add({
    type: 'merge.conflicted',
    ...of,
    files: ['src/a.ts', 'b.md'],
    against: ['html'],
    hunks: [
      { path: 'src/a.ts', line: 12, session: ['const hi = "Hello";'], task: ['const hi = greet("en");', ''] },
      {
        path: 'b.md',
        line: 3,
        session: [],
        task: [
          'English\u202e greets the reader by name, in one line that is longer than the dialog is wide.',
        ],
      },
    ],
  });
  return story.add({
    type: 'question.asked',
    kind: 'merge',
    request,
    ...of,
    text: 'english conflicts with html in src/a.ts, b.md. Which version should be kept?',
    options: conflictOptions('/trees/english-2'),
    invocation: null,
  });
};

const nestedReason =
  'vendor/parser is a separate git repository, whose files a merge would leave behind. They stay in /trees/english-2. To merge them as files, remove the .git inside first.';

/** The merge was refused for this reason. */
const refusedMerge = (reason: string): Story => {
  const story = waitingForReview();
  const of = { task: 'english', attempt: 2 };
  story.add({
    type: 'question.answered',
    request: 'review:english:2',
    answer: 'accept',
    by: 'kim',
    signal: 's',
  });
  story.add({ type: 'merge.started', ...of });
  story.add({ type: 'merge.refused', ...of, reason });
  return story.add({
    type: 'question.asked',
    kind: 'merge',
    request: 'merge:english:2:1',
    ...of,
    text: `english was not merged: ${reason} What now?`,
    options: refusedOptions(),
    invocation: null,
  });
};

const changing = (name: string, viewer: ViewerPort, keys: readonly string[]): Scene => ({
  name,
  story: secondAttempt,
  options: { viewer },
  foreign: `\ufffd${wideDiff}`,
  act: (screen) => screen.press(...toEnglish, ...paneKeys('changes'), ...keys),
});

/** The Changes tab: two columns where there is room, odd files, wide characters, a search. */
export const changingScenes: readonly Scene[] = [
  changing('changes-unified', edited, ['j', 'J', ']', 'j', 'j', 'j', 'j']),
  changing('changes-side-by-side', edited, ['z', 'j', 'J', ']', 'j', 'j', 'j', 'j']),
  changing('changes-odd-files', odd, []),
  changing('changes-wide', wide, ['z', 'J', 'l']),
  {
    ...changing('changes-review', edited, [
      'J',
      ']',
      ...'jjjjm',
      't',
      'o',
      'o',
      ' ',
      'l',
      'o',
      'n',
      'g',
      'enter',
      'Y',
    ]),
    story: waitingForReview,
  },
  {
    name: 'merge-conflict',
    story: inConflict,
    options: { viewer: edited },
    act: (screen) => screen.press('u'),
  },
  {
    name: 'merge-refused',
    story: () => refusedMerge('src/a.ts:12 looks like a secret.'),
    options: { viewer: edited },
    act: (screen) => screen.press('u'),
  },
  {
    name: 'merge-nested-repository',
    story: () => refusedMerge(nestedReason),
    options: { viewer: edited },
    act: (screen) => screen.press('u'),
  },
  changing('changes-search', edited, ['/', 'w', 'o', 'r', 'd', 's', 'enter', 'n']),
];
