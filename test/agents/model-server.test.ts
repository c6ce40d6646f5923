import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startModelServer } from '../helpers/model-server/model-server.ts';
import type { Lane } from '../helpers/model-server/script.ts';

const start = async (...lanes: readonly Lane[]) => {
  const server = await startModelServer(lanes);
  onTestFinished(server.close);
  return server;
};

const post = (url: string, path: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(url + path, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) });

/** The data of each server-sent event. */
const events = (text: string): readonly unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));

const geminiPath = '/v1beta/models/gemini-9:streamGenerateContent?alt=sse';
const geminiTools = [{ functionDeclarations: [{ name: 'write_file' }, { name: 'mcp_ralph_task_update' }] }];
const user = (text: string) => ({ role: 'user', parts: [{ text }] });

const responsesTools = [
  { type: 'function', name: 'exec_command' },
  { type: 'custom', name: 'apply_patch' },
  { type: 'namespace', name: 'mcp__ralph', tools: [{ type: 'function', name: 'task_update' }] },
];
const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});

const eventSchema = z.looseObject({ type: z.string(), item: z.looseObject({}).optional() });

test('Gemini is answered in server-sent events: text, then a call of the tool it declared, then the end', async () => {
  const server = await start({
    name: 'one',
    when: ['paint'],
    steps: [
      { reply: [{ text: 'Go' }, { text: 'od.' }, { tool: 'task_update', arguments: { status: 'done' } }] },
    ],
  });
  const response = await post(server.url, geminiPath, { contents: [user('paint it')], tools: geminiTools });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const parts = events(await response.text()).flatMap((event) => {
    const { candidates } = z.object({ candidates: z.array(z.looseObject({})) }).parse(event);
    return candidates;
  });
  expect(parts).toMatchObject([
    { content: { parts: [{ text: 'Go' }] } },
    { content: { parts: [{ text: 'od.' }] } },
    { content: { parts: [{ functionCall: { name: 'mcp_ralph_task_update', args: { status: 'done' } } }] } },
    { finishReason: 'STOP' },
  ]);
  expect(server.problems).toEqual([]);
  expect(server.left()).toEqual([]);
});

test('Codex is answered in events of the Responses API, tools of a namespace and of free text included', async () => {
  const server = await start({
    name: 'one',
    when: [],
    steps: [
      {
        reply: [
          { text: 'Good.' },
          { tool: 'task_update', arguments: { status: 'done' } },
          { tool: 'apply_patch', input: '*** Begin Patch' },
        ],
      },
    ],
  });
  const body = { stream: true, input: [message('user', 'go')], tools: responsesTools };
  const found = events(await (await post(server.url, '/v1/responses', body)).text()).map((event) =>
    eventSchema.parse(event),
  );
  expect(found.map(({ type }) => type)).toEqual([
    'response.created',
    'response.output_item.added',
    'response.output_text.delta',
    'response.output_item.done',
    'response.output_item.added',
    'response.output_item.done',
    'response.output_item.added',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(
    found.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item),
  ).toMatchObject([
    { type: 'message', content: [{ text: 'Good.' }] },
    { type: 'function_call', name: 'task_update', namespace: 'mcp__ralph', arguments: '{"status":"done"}' },
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch' },
  ]);
});

test('each conversation goes through its own steps, and what is new in a request is compared with what a step expects', async () => {
  const server = await start(
    {
      name: 'alpha',
      when: ['task alpha'],
      steps: [{ reply: [{ text: 'a0' }] }, { expects: 'written', reply: [{ text: 'a1' }] }],
    },
    { name: 'beta', when: ['task beta'], steps: [{ reply: [{ text: 'b0' }] }] },
  );
  const ask = async (...contents: readonly object[]): Promise<string> =>
    (await post(server.url, geminiPath, { contents, tools: geminiTools })).text();
  const model = { role: 'model', parts: [{ text: 'a0' }] };
  expect(await ask(user('task alpha'))).toContain('"a0"');
  expect(await ask(user('task beta'))).toContain('"b0"');
  const result = {
    role: 'user',
    parts: [{ functionResponse: { name: 'write_file', response: { output: 'written' } } }],
  };
  expect(await ask(user('task alpha'), model, result)).toContain('"a1"');
  expect(server.problems).toEqual([]);
  expect(server.requests.map(({ lane, step }) => `${lane} ${step}`)).toEqual([
    'alpha 0',
    'beta 0',
    'alpha 1',
  ]);
  expect(server.requests[2]?.latest).toContain('written');
  expect(server.requests[2]?.latest).not.toContain('task alpha');

  await ask(user('task gamma'));
  expect(server.problems).toMatchObject([expect.stringContaining('no step is left')]);
});

test('a step whose expected text is missing is a problem', async () => {
  const server = await start({ name: 'one', when: [], steps: [{ expects: 'steered', reply: [] }] });
  await (await post(server.url, geminiPath, { contents: [user('go')], tools: geminiTools })).text();
  expect(server.problems).toEqual(['one 0: expected "steered" in: go']);
});

test('side requests use up no step: checks get JSON that fits their schema, titles a text', async () => {
  const server = await start({ name: 'one', when: [], steps: [{ reply: [{ text: 'step' }] }] });
  const schema = {
    type: 'OBJECT',
    properties: { reasoning: { type: 'STRING' }, next_speaker: { type: 'STRING', enum: ['user', 'model'] } },
  };
  const check = await post(server.url, '/v1beta/models/gemini-9:generateContent', {
    contents: [user('who speaks next?')],
    generationConfig: { responseJsonSchema: schema },
  });
  expect(await check.json()).toMatchObject({
    candidates: [{ content: { parts: [{ text: '{"reasoning":"","next_speaker":"user"}' }] } }],
  });
  const title = await post(server.url, '/v1/responses', { input: [message('user', 'a title, please')] });
  expect(await title.text()).toContain('A short text.');
  const count = await post(server.url, '/v1beta/models/gemini-9:countTokens', { contents: [] });
  expect(await count.json()).toEqual({ totalTokens: 1200 });
  expect(server.requests.map(({ kind }) => kind)).toEqual(['side', 'side']);
  expect(server.left()).toEqual(['one 0']);
});

test('a reply stands at a hold until it is released', async () => {
  const server = await start({
    name: 'one',
    when: [],
    steps: [{ reply: [{ text: 'one' }, { hold: 'gate' }, { text: 'two' }] }],
  });
  const response = await post(server.url, geminiPath, { contents: [user('go')], tools: geminiTools });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = (await reader?.read())?.value ?? '';
  expect(seen).toContain('"one"');
  server.release('gate');
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
    seen += piece.value;
  expect(seen).toContain('"two"');
  expect(server.requests[0]?.hungUp).toBe(false);
});

test('an agent that hangs up at a hold is noticed', async () => {
  const server = await start({
    name: 'one',
    when: [],
    steps: [{ reply: [{ text: 'one' }, { hold: 'gate' }] }],
  });
  const cancel = new AbortController();
  await post(server.url, geminiPath, { contents: [user('go')], tools: geminiTools }, cancel.signal);
  cancel.abort();
  await server.until(() => server.requests[0]?.hungUp === true);
});

test.each([401, 429, 500])('a step fails with %i in the words of both vendors', async (status) => {
  const server = await start({ name: 'one', when: [], steps: [{ fail: status }, { fail: status }] });
  const google = await post(server.url, geminiPath, { contents: [user('go')], tools: geminiTools });
  expect(google.status).toBe(status);
  expect(await google.json()).toMatchObject({ error: { code: status, message: expect.any(String) } });
  const openai = await post(server.url, '/v1/responses', {
    input: [message('user', 'go')],
    tools: responsesTools,
  });
  expect(openai.status).toBe(status);
  expect(await openai.json()).toMatchObject({ error: { message: expect.any(String) } });
});

test('unknown paths and bodies that are no request are refused', async () => {
  const server = await start();
  expect((await post(server.url, '/v1/embeddings', {})).status).toBe(404);
  expect((await post(server.url, geminiPath, { contents: 7 })).status).toBe(400);
  expect((await post(server.url, '/v1/responses', { input: 'x'.repeat(20_000_001) })).status).toBe(400);
  expect(server.problems).toHaveLength(2);
});

test('a tool that its agent has not found yet is searched for again, and called once it is there', async () => {
  const server = await start({
    name: 'one',
    when: ['paint'],
    steps: [
      { reply: [{ search: 'task_update' }] },
      { expects: 'task_update', reply: [{ tool: 'task_update', arguments: {} }] },
    ],
  });
  const search = { type: 'tool_search_call', call_id: 'call_1' };
  const found = (tools: readonly object[]) => [
    search,
    { type: 'tool_search_output', call_id: 'call_1', tools },
  ];
  const ask = async (...input: readonly object[]) => {
    const tools = responsesTools.slice(0, 2);
    const response = await post(server.url, '/v1/responses', {
      input: [message('user', 'paint'), ...input],
      tools,
    });
    return events(await response.text()).flatMap((event) => eventSchema.parse(event).item?.['type'] ?? []);
  };
  const inVain = found([]);
  expect(await ask()).toEqual(['tool_search_call']);
  expect(await ask(...inVain)).toEqual(['tool_search_call']);
  expect(await ask(...inVain, ...inVain)).toEqual(['tool_search_call']);
  expect(await ask(...inVain, ...found(responsesTools.slice(2)))).toContain('function_call');
  expect(server.requests.map(({ kind, step }) => `${kind} ${step}`)).toEqual([
    ...['step 0', 'again 0', 'again 0', 'step 1'],
  ]);
  expect([server.problems, server.left()]).toEqual([[], []]);
});
