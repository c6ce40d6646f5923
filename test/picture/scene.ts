import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from '../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';

/** What the picture shows: two agents that talk, an edit with its first lines, a permission that waits, the graph and the cost. */
export const prepareScene = (workspace: string): void => {
  const agent = createScriptedAgent(workspace, {
    initialize: { agentInfo: { name: 'coder', title: 'Coder', version: '2.1' } },
    lifetime: 120_000,
    turns: [
      { when: 'the service answers', actions: serviceTurn },
      { when: 'the command line greets', actions: commandTurn },
      { when: 'the reference pages', actions: docsTurn },
    ],
  });
  mkdirSync(join(workspace, '.ralph'), { recursive: true });
  writeFileSync(
    join(workspace, '.ralph', 'config.yaml'),
    JSON.stringify({
      agents: { coder: { type: 'acp', command: [agent.command, ...agent.args] } },
      roles: { executor: 'coder' },
    }),
  );
  writeFileSync(join(workspace, 'plan.yaml'), JSON.stringify(plan));
};

const task = (id: string, title: string, objective: string, blockedBy: readonly string[] = []) => ({
  ...{ id, title, objective, blockedBy, files: [`src/${id}.ts`], run: [], verify: ['true'] },
});

const plan = {
  goal: 'Ship the greeting service in three languages',
  settings: {
    concurrency: { max_parallel_executors: 3 },
    planning: { max_cycles: 0 },
    gates: [],
    timeouts: { abort_grace: '300ms' },
  },
  tasks: [
    {
      ...task('schema', 'Schema of a greeting', 'one JSON schema'),
      run: ["mkdir -p src && echo 'export {};' > src/schema.ts"],
      agent: 'script',
    },
    task('service', 'Service', 'the service answers in three languages', ['schema']),
    task('cli', 'Command line', 'the command line greets', ['schema']),
    task('docs', 'Reference pages', 'the reference pages', ['schema']),
    task('load-test', 'Load test', 'a thousand greetings a second', ['service']),
    task('package', 'Package', 'one file to install', ['cli', 'docs']),
    task('release', 'Release notes', 'what changed', ['load-test', 'package']),
  ],
};

const tool = (
  id: string,
  kind: string,
  title: string,
  more: Readonly<Record<string, unknown>> = {},
): readonly Action[] => [
  {
    do: 'update',
    update: { sessionUpdate: 'tool_call', toolCallId: id, kind, title, status: 'in_progress' },
  },
  {
    do: 'update',
    update: { sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed', ...more },
  },
];

const usage = (used: number, amount: number): Action => ({
  do: 'update',
  update: { sessionUpdate: 'usage_update', used, size: 200_000, cost: { amount, currency: 'USD' } },
});

/** It works until the picture is taken. */
const stays: Action = { do: 'until-file', path: 'taken' };

const edit = {
  content: [
    {
      type: 'diff',
      path: 'src/service.ts',
      oldText: "export const greet = (name: string): string => 'Hello, ' + name;\n",
      newText:
        "export const greet = (name: string, language: Language): string =>\n  words[language].replace('{name}', name);\n\nconst words: Record<Language, string> = {\n  en: 'Hello, {name}!',\n  vi: 'Xin chào, {name}!',\n  ja: 'こんにちは、{name}さん',\n};\n",
    },
  ],
};

const reply = `## The service greets in three languages

\`greet\` takes the **language** now and looks its words up in one table, so that a fourth language is one line:

| Language | Words | Test |
| --- | --- | :---: |
| English | Hello, Ada! | ✓ |
| Tiếng Việt | Xin chào, Ada! | ✓ |
| 日本語 | こんにちは、Adaさん | ✓ |

1. The schema allows \`en\`, \`vi\` and \`ja\`; any other language is refused with the list of these.
2. Callers without a language get English:
   - [x] \`src/http.ts\`
   - [ ] \`src/queue.ts\` still calls it with one argument

\`\`\`ts
app.get('/greet/:name', (request) =>
  greet(request.params.name, languageOf(request) ?? 'en'),
);
\`\`\`

Next I change the queue, and `;

const serviceTurn: readonly Action[] = [
  { do: 'think', text: 'One table of words keeps the languages together. The callers need a default.' },
  ...tool('t1', 'read', 'src/service.ts'),
  ...tool('t2', 'edit', 'src/service.ts', edit),
  { do: 'say', text: reply },
  ...tool('t3', 'read', 'src/queue.ts'),
  usage(48_200, 0.42),
  stays,
];

const commandTurn: readonly Action[] = [
  ...tool('t1', 'read', 'src/cli.ts'),
  {
    do: 'say',
    text: 'The option `--language` takes the same three words. I read how the others are checked, then ',
  },
  ...tool('t2', 'read', 'src/options.ts'),
  usage(21_900, 0.17),
  stays,
];

const docsTurn: readonly Action[] = [
  { do: 'say', text: 'The pages are built. To see them as readers do, I would like to publish a preview.\n' },
  usage(10_400, 0.08),
  {
    do: 'permission',
    toolCall: {
      toolCallId: 'ask',
      kind: 'execute',
      title: 'npx wrangler pages deploy site --branch preview',
      rawInput: { command: 'npx wrangler pages deploy site --branch preview' },
    },
  },
  stays,
];
