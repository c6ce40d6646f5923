import { expect, test } from 'vitest';
import { createReply } from '../../../src/agents/backends/acp/reply.ts';
import { createToolBook } from '../../../src/agents/backends/acp/tool-book.ts';
import { parseUpdate } from '../../../src/agents/backends/acp/updates.ts';

/** What a person reads, and what is read as the reply, of chunks of messages as agents send them. */
const shown = (...chunks: readonly (readonly [text: string, messageId?: string])[]) => {
  let output = '';
  const host = {
    emit: () => {},
    output: (bytes: Uint8Array) => {
      output += new TextDecoder().decode(bytes);
    },
  };
  const reply = createReply(
    host,
    createToolBook(
      () => {},
      () => 0,
    ),
    new Map(),
  );
  for (const [text, messageId] of chunks)
    reply.take(
      parseUpdate({
        sessionId: 's',
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text },
          ...(messageId === undefined ? {} : { messageId }),
        },
      }).update,
    );
  reply.close();
  return { output, text: reply.text() };
};

test('separate messages are separate lines, and the chunks of one are one', () => {
  const said = shown(
    ['I look at ', 'a'],
    ['the file.', 'a'],
    ['It is fine.', 'b'],
    ['{"status": "completed"}', 'c'],
  );
  expect(said.output).toBe('I look at the file.\nIt is fine.\n{"status": "completed"}\n');
  expect(said.text).toBe('I look at the file.\nIt is fine.\n{"status": "completed"}');
});

test('a message that ends its line gets no empty one, and one without an id belongs to the message before it', () => {
  expect(shown(['One.\n', 'a'], ['Two', 'b'], [' and more']).output).toBe('One.\nTwo and more\n');
});
