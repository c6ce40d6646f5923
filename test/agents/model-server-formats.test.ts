import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../helpers/model-server/model-server.ts';
import type { Lane } from '../helpers/model-server/script.ts';

const start = async (...lanes: readonly Lane[]) => {
  const server = await startModelServer(lanes);
  onTestFinished(server.close);
  const post = (path: string, body: object): Promise<Response> =>
    fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) });
  return { ...server, post };
};

/** The data of each server-sent event, without the mark of the end. */
const events = (text: string): readonly unknown[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data));

const twoSteps: Lane = {
  name: 'one',
  when: ['paint'],
  steps: [
    { reply: [{ text: 'Go' }, { text: 'od.' }, { tool: 'task_update', arguments: { status: 'done' } }] },
    { expects: 'noted', reply: [] },
  ],
};

const messagesTools = [{ name: 'Bash' }, { name: 'mcp__ralph__task_update' }];

test('Claude is answered in events of the Messages API, and the results of its tools are what is new', async () => {
  const server = await start(twoSteps);
  const ask = { stream: true, system: [{ type: 'text', text: 'Be brief.' }], tools: messagesTools };
  const prompt = { role: 'user', content: 'paint it' };
  const response = await server.post('/v1/messages?beta=true', { ...ask, messages: [prompt] });
  expect(events(await response.text())).toMatchObject([
    { type: 'message_start', message: { role: 'assistant', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Go' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'od.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', name: 'mcp__ralph__task_update' },
    },
    { type: 'content_block_delta', index: 1, delta: { partial_json: '{"status":"done"}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]);
  const result = { type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'noted\nline' }] };
  const messages = [prompt, { role: 'assistant', content: 'Good.' }, { role: 'user', content: [result] }];
  await (await server.post('/v1/messages', { ...ask, messages })).text();
  expect(server.requests[1]?.latest).toBe('noted\nline');
  expect({ problems: server.problems, left: server.left() }).toEqual({ problems: [], left: [] });
});

test('Chat Completions are answered in chunks, and the results of tools are what is new', async () => {
  const server = await start(twoSteps);
  const tools = [{ type: 'function', function: { name: 'ralph_task_update' } }];
  const prompt = { role: 'user', content: [{ type: 'text', text: 'paint it' }] };
  const response = await server.post('/v1/chat/completions', { stream: true, tools, messages: [prompt] });
  const text = await response.text();
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(events(text)).toMatchObject([
    { choices: [{ delta: { role: 'assistant' } }] },
    { choices: [{ delta: { content: 'Go' } }] },
    { choices: [{ delta: { content: 'od.' } }] },
    {
      choices: [
        {
          delta: {
            tool_calls: [{ function: { name: 'ralph_task_update', arguments: '{"status":"done"}' } }],
          },
        },
      ],
    },
    { choices: [{ finish_reason: 'tool_calls' }] },
    { choices: [], usage: { total_tokens: 1234 } },
  ]);
  const messages = [prompt, { role: 'assistant', content: 'Good.' }, { role: 'tool', content: 'noted' }];
  await (await server.post('/v1/chat/completions', { stream: true, tools, messages })).text();
  expect(server.requests[1]?.latest).toBe('noted');
  expect({ problems: server.problems, left: server.left() }).toEqual({ problems: [], left: [] });
});

test('requests without tools use up no step, and one without a stream is answered in one piece', async () => {
  const server = await start({ name: 'one', when: [], steps: [{ reply: [{ text: 'step' }] }] });
  const messages = [{ role: 'user', content: 'a title' }];
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  const title = await server.post('/v1/messages', { messages, output_config: { format: { schema } } });
  expect(await title.json()).toMatchObject({ content: [{ type: 'text', text: '{"title":""}' }] });
  const chat = await server.post('/v1/chat/completions', { messages });
  expect(await chat.json()).toMatchObject({ choices: [{ message: { content: 'A short text.' } }] });
  const count = await server.post('/v1/messages/count_tokens', { messages });
  expect(await count.json()).toEqual({ input_tokens: 1200 });
  expect(server.requests.map(({ kind }) => kind)).toEqual(['side', 'side']);
  expect(server.left()).toEqual(['one 0']);
});

test.each([401, 429, 500])('a step fails with %i in the words of Anthropic and of OpenAI', async (status) => {
  const server = await start({ name: 'one', when: [], steps: [{ fail: status }, { fail: status }] });
  const messages = [{ role: 'user', content: 'go' }];
  const anthropic = await server.post('/v1/messages', { messages, tools: messagesTools });
  expect(anthropic.status).toBe(status);
  expect(await anthropic.json()).toMatchObject({ type: 'error', error: { message: expect.any(String) } });
  const tools = [{ type: 'function', function: { name: 'bash' } }];
  const openai = await server.post('/v1/chat/completions', { messages, tools });
  expect(openai.status).toBe(status);
  expect(await openai.json()).toMatchObject({ error: { message: expect.any(String) } });
});
