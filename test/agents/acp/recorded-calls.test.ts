import { expect, test } from 'vitest';
import { createToolBook } from '../../../src/agents/backends/acp/tool-book.ts';
import { parseUpdate, toolPatchSchema } from '../../../src/agents/backends/acp/updates.ts';
import type { EventOf } from '../../../src/pipeline/event.ts';
import { endedTool, toolText } from '../../../src/words/agent-words.ts';

const command = `echo "it's here" && cat a.txt | wc -l; touch b.txt`;
const file = '/work/a.txt';
const diff = { type: 'diff', path: file, oldText: 'one\n', newText: 'two\n' };
const edit = { file_path: file, old_string: 'one', new_string: 'two' };

/** A message about one call, as the agent sent it. */
type Recorded = Readonly<Record<string, unknown>>;
const announced = (fields: Recorded): Recorded => ({
  sessionUpdate: 'tool_call',
  toolCallId: 'c1',
  ...fields,
});
const updated = (fields: Recorded): Recorded => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: 'c1',
  ...fields,
});
const asked = (fields: Recorded): Recorded => ({ toolCallId: 'c1', status: 'pending', ...fields });
const completed = updated({ status: 'completed' });

/** A command and an edit of each agent, in the order of their messages. A request for permission has no `sessionUpdate`. */
const recorded: Readonly<Record<string, { command: readonly Recorded[]; edit: readonly Recorded[] }>> = {
  claude: {
    command: [
      announced({ title: 'Terminal', kind: 'execute', status: 'pending', content: [], rawInput: {} }),
      asked({ title: command, kind: 'execute', rawInput: { command, description: 'a test' } }),
      updated({ title: command, rawInput: { command, description: 'a test' } }),
      completed,
    ],
    edit: [
      announced({ title: 'Preparing file…', kind: 'edit', status: 'pending', locations: [], rawInput: {} }),
      updated({
        title: 'Write a.txt',
        content: [diff],
        locations: [{ path: file, line: 1 }],
        rawInput: edit,
      }),
      completed,
    ],
  },
  opencode: {
    command: [
      announced({ title: 'bash', kind: 'execute', status: 'pending', rawInput: { cwd: '/work' } }),
      updated({
        title: command,
        kind: 'execute',
        status: 'in_progress',
        rawInput: { command, cwd: '/work' },
      }),
      updated({ title: command, status: 'completed' }),
    ],
    edit: [
      announced({ title: 'edit', kind: 'edit', status: 'pending', locations: [], rawInput: {} }),
      updated({
        title: 'edit',
        kind: 'edit',
        status: 'in_progress',
        locations: [{ path: file }],
        rawInput: edit,
      }),
      updated({ title: 'a.txt', status: 'completed', content: [diff] }),
    ],
  },
  qwen: {
    command: [
      announced({ title: 'Shell', kind: 'execute', status: 'pending', content: [], rawInput: {} }),
      updated({
        title: `Shell: ${command} (a test)`,
        kind: 'execute',
        status: 'in_progress',
        rawInput: { command },
      }),
      completed,
    ],
    edit: [
      announced({ title: 'Edit', kind: 'edit', status: 'pending', locations: [], rawInput: {} }),
      asked({ title: 'a.txt', kind: 'edit', content: [diff], locations: [{ path: file }], rawInput: edit }),
      updated({ status: 'completed', content: [diff] }),
    ],
  },
  codex: {
    command: [
      announced({
        title: command,
        kind: 'execute',
        status: 'in_progress',
        rawInput: { command, cwd: '/work' },
      }),
      completed,
    ],
    edit: [
      announced({ title: 'Editing files', kind: 'edit', status: 'in_progress', content: [diff] }),
      asked({ title: 'Edit files', kind: 'edit', locations: [{ path: file }] }),
      completed,
    ],
  },
  gemini: {
    command: [
      asked({ title: command, kind: 'execute', content: [], locations: [] }),
      updated({ title: command, kind: 'execute', status: 'completed' }),
    ],
    edit: [
      asked({ title: 'a.txt: one => two', kind: 'edit', content: [diff], locations: [{ path: file }] }),
      updated({
        title: 'a.txt: one => two',
        status: 'completed',
        content: [diff],
        locations: [{ path: file }],
      }),
    ],
  },
};

/** The lines of the screen for one call: at its start, and at its end. */
const lines = (messages: readonly Recorded[]): readonly string[] => {
  const seen: string[] = [];
  const book = createToolBook(
    (fact) => {
      const of = { at: '', seq: 0, invocation: 'Executor-1' };
      if (fact.type === 'tool.started') seen.push(toolText(fact));
      const ended: EventOf<'tool.ended'> | null = fact.type === 'tool.ended' ? { ...fact, ...of } : null;
      if (ended !== null) seen.push(endedTool(seen.at(-1) ?? '', ended));
    },
    () => 0,
  );
  for (const message of messages) {
    if (message['sessionUpdate'] === undefined) {
      book.answered(book.ask(toolPatchSchema.parse(message)).call.id, false);
      continue;
    }
    const { update } = parseUpdate({ sessionId: 's', update: message });
    if (update.kind === 'tool') book.take(update.call, update.begins);
  }
  return seen;
};

test.each(Object.entries(recorded))(
  '%s: a command is shown in full, and an edit with its file',
  (_, calls) => {
    expect(lines(calls.command)).toEqual([command, command]);
    const [begun = '', ended = ''] = lines(calls.edit);
    expect(begun).toContain('a.txt');
    expect(begun).toMatch(/^edit/iu);
    expect(ended).toMatch(/\ba\.txt.* \+1 −1$/u);
  },
);

test('a call that was announced before its input ends with the reply, without a line if it never ran', () => {
  expect(lines([announced({ title: 'Terminal', kind: 'execute', status: 'pending', rawInput: {} })])).toEqual(
    [],
  );
});

test('a command is cut only where it is longer than a screen of text', () => {
  const long = `printf '%s' ${'x'.repeat(5_000)}`;
  const input = { title: 'Shell', kind: 'execute', status: 'in_progress', rawInput: { command: long } };
  expect(lines([announced(input)])).toEqual([long]);
});
