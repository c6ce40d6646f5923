/** Plays an agent that speaks ACP on stdin and stdout: it talks, edits, asks and costs as an agent does. No model, and nothing is paid. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pause } from './pace.js';
import { act } from './story.mjs';

let directory = process.cwd();
let isCancelled = false;
let asked = 0;
let calls = 0;
let spent = 0;
/** Answers of the client by the id of our request. */
const waiting = new Map();

const sessionId = 'sample';
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (content) => send({ method: 'session/update', params: { sessionId, update: content } });
const request = (method, params) => {
  asked += 1;
  const id = `ask-${asked}`;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
};

const options = [
  { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
  { optionId: 'no', kind: 'reject_once', name: 'No' },
];

/** A tool call that is asked about first; `work` is done if it is allowed. */
const call = async (toolCall, work) => {
  calls += 1;
  const toolCallId = `call-${calls}`;
  update({ sessionUpdate: 'tool_call', toolCallId, status: 'pending', ...toolCall });
  const asks = toolCall.kind !== 'read';
  const { outcome } = asks
    ? await request('session/request_permission', { sessionId, toolCall: { toolCallId, ...toolCall }, options })
    : { outcome: { optionId: 'yes' } };
  const isAllowed = outcome?.optionId === 'yes' && !isCancelled;
  const text = isAllowed ? await work() : 'not allowed';
  const content = toolCall.content ?? [{ type: 'content', content: { type: 'text', text } }];
  update({ sessionUpdate: 'tool_call_update', toolCallId, status: isAllowed ? 'completed' : 'failed', content });
  return isAllowed;
};

/** What a story may do. Each step takes its time. */
const hands = {
  say: async (text) => {
    for (const word of text.split(/(?<= )/)) {
      if (isCancelled) return;
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: word } });
      await pause(0.09);
    }
  },
  read: (path) =>
    call({ title: `Read ${path}`, kind: 'read', locations: [{ path: join(directory, path) }] }, async () => {
      await pause(0.4);
      return readFileSync(join(directory, path), 'utf8');
    }),
  edit: async (path, from, to) => {
    const file = join(directory, path);
    const oldText = existsSync(file) ? readFileSync(file, 'utf8') : null;
    const newText = from === '' ? to : oldText.replace(from, () => to);
    const content = [{ type: 'diff', path: file, oldText, newText }];
    await call({ title: `Edit ${path}`, kind: 'edit', locations: [{ path: file }], content }, async () => {
      await pause(0.6);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, newText);
      return '';
    });
  },
  run: (program, ...args) => {
    const command = [program, ...args].join(' ');
    return call({ title: command, kind: 'execute', rawInput: { command } }, async () => {
      try {
        return execFileSync(program, args, { cwd: directory, encoding: 'utf8' });
      } catch (error) {
        return String(error);
      }
    });
  },
  /** The result that ends the reply, as the prompt wants it. */
  report: (summary, ...files) => {
    const result = { status: 'completed', summary: [summary], files_modified: files };
    const text = `\n\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\`\n`;
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  },
  spend: (amount, used) => {
    spent += amount;
    update({ sessionUpdate: 'usage_update', used, size: 200_000, cost: { amount: spent, currency: 'USD' } });
  },
};

const handle = async ({ id, method, params, result }) => {
  if (method === undefined) {
    waiting.get(id)?.(result ?? {});
    return;
  }
  if (method === 'initialize')
    send({
      id,
      result: {
        protocolVersion: 1,
        agentInfo: { name: 'sample', title: 'Sample agent', version: '1' },
        agentCapabilities: { loadSession: false },
        authMethods: [],
      },
    });
  else if (method === 'session/new') {
    directory = params.cwd;
    send({ id, result: { sessionId } });
  } else if (method === 'session/cancel') {
    isCancelled = true;
    for (const resolve of waiting.values()) resolve({});
  } else if (method === 'session/prompt') {
    isCancelled = false;
    await act(hands, params.prompt.map(({ text }) => text ?? '').join('\n'));
    send({ id, result: { stopReason: isCancelled ? 'cancelled' : 'end_turn' } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: `unknown method ${method}` } });
};

process.stdout.on('error', () => process.exit(1));
createInterface({ input: process.stdin })
  .on('line', (line) => void handle(JSON.parse(line)))
  .on('close', () => process.exit(0));
