import { paneKeys } from '../pane-key.ts';
import { createStory, diamond, type Story } from '../story.ts';
import type { Scene } from './scene.ts';

const reply = `## What I found

The store tells each listener **once**, also when one of them leaves while it is told: \`createStore\` copies the list before it walks it. Two things are missing:

1. A listener that throws keeps the *others* from being told.
2. Nothing tests it:
   - [x] leaving while it is told
   - [ ] throwing while it is told

| Case | Before | After |
| --- | ---: | --- |
| one listener | 4 | told once |
| leaves meanwhile | 3 | told once, also the next one |

> Listeners are called in the order in which they came.

\`\`\`ts
for (const listener of [...listeners]) {
  listener(view);   // told once
}
\`\`\`

See [the issue](https://example.org/issues/7). 存储库会通知每个监听器一次。 Next I write the`;

const invocation = 'Executor-9';
const of = { invocation, task: 'english', attempt: 1 } as const;

/** An agent at work on a task: it thinks, reads, edits, and explains what it found in Markdown. */
export const agentTalks = (): Story => {
  const story = createStory().begin().tasks(diamond).wave(1, ['english', 'vietnamese']);
  story
    .add({
      type: 'invocation.started',
      role: 'Executor',
      mode: 'IMPLEMENT',
      backend: 'claude',
      cycle: 1,
      messages: [],
      ...of,
    })
    .add({ type: 'task.started', task: 'english', attempt: 1, invocation, owner: 'claude' })
    .add({
      type: 'agent.connected',
      ...of,
      label: 'Claude Code',
      version: '2.1.0',
      session: 's1',
      began: 'new',
      model: 'opus',
      reach: 'steering',
    })
    .add({
      type: 'thought.noted',
      ...of,
      text: 'The listeners may change while they are told. I look at how the store walks its list, and whether a test holds it to that.',
      characters: 123,
    })
    .add({
      type: 'tool.started',
      ...of,
      call: 'c1',
      title: 'src/store.ts',
      kind: 'read',
      paths: ['src/store.ts'],
    })
    .add({ type: 'tool.ended', ...of, call: 'c1', ok: true, changes: [], duration_ms: 120 });
  story
    .add({
      type: 'tool.started',
      ...of,
      call: 'c2',
      title: 'Edit src/store.ts',
      kind: 'edit',
      paths: ['src/store.ts'],
    })
    .add({
      type: 'tool.ended',
      ...of,
      call: 'c2',
      ok: true,
      changes: [
        {
          path: 'src/store.ts',
          added: 9,
          removed: 2,
          start:
            '-  for (const listener of listeners) listener(view);\n-};\n+  for (const listener of [...listeners]) {\n+    try {\n+      listener(view);\n+    } catch (error) {',
        },
      ],
      duration_ms: 340,
    });
  let byte = 0;
  for (const text of reply.match(/.{1,40}/gs) ?? []) {
    story.add({ type: 'output.written', ...of, stream: 'stdout', text, byte });
    byte += new TextEncoder().encode(text).length;
  }
  return story.wait(2_000);
};

/** What agents say, as it is drawn. */
export const sayingScenes: readonly Scene[] = [
  { name: 'output-words', story: agentTalks, act: (screen) => screen.press('tab', ...paneKeys('output')) },
  {
    name: 'output-words-ascii',
    story: agentTalks,
    options: { theme: { ascii: true, colours: 'none' } },
    act: (screen) => screen.press('tab', ...paneKeys('output')),
  },
];
