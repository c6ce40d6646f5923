/** Plays an agent that speaks ACP on stdin and stdout: two questions and a plan for the issue of this sample, then its phases. No model. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pass } from 'node:timers/promises';
import { outlineQuestion, phaseOf, plan, wayQuestion, ways } from './story.mjs';

const pace = 15;
const lettersAtOnce = 14;

let directory = process.cwd();
let session = '';
let isCancelled = false;
let asked = 0;
let calls = 0;
/** Answers of the client by the id of our request. */
const waiting = new Map();
/** What was chosen and said in this conversation. */
const story = { step: 'way', way: 0, date: '', author: '', wishes: [] };

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (content) =>
  send({ method: 'session/update', params: { sessionId: session, update: content } });

const say = async (text) => {
  for (let at = 0; at < text.length && !isCancelled; at += lettersAtOnce) {
    const piece = text.slice(at, at + lettersAtOnce);
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: piece } });
    await pass(pace);
  }
};

const read = async (path) => {
  calls += 1;
  const toolCallId = `call-${calls}`;
  update({
    sessionUpdate: 'tool_call',
    toolCallId,
    title: `Read ${path}`,
    kind: 'read',
    status: 'in_progress',
    locations: [{ path: join(directory, path) }],
  });
  const text = readFileSync(join(directory, path), 'utf8');
  await pass(pace * 10);
  update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
  return text;
};

/** Asks as every agent does before it changes a file. */
const write = async (path, text) => {
  calls += 1;
  const toolCallId = `call-${calls}`;
  const toolCall = {
    toolCallId,
    title: `Write ${path}`,
    kind: 'edit',
    status: 'pending',
    locations: [{ path: join(directory, path) }],
    content: [{ type: 'diff', path: join(directory, path), oldText: null, newText: text }],
  };
  update({ sessionUpdate: 'tool_call', ...toolCall });
  const options = [
    { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
    { optionId: 'no', kind: 'reject_once', name: 'No' },
  ];
  const { outcome } = await request('session/request_permission', { sessionId: session, toolCall, options });
  const isAllowed = outcome?.optionId === 'yes';
  if (isAllowed) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  update({ sessionUpdate: 'tool_call_update', toolCallId, status: isAllowed ? 'completed' : 'failed' });
  return isAllowed;
};

const request = (method, params) => {
  asked += 1;
  const id = `ask-${asked}`;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
};

const carryOut = async (phase, prompt) => {
  story.step = 'phase';
  const { files, words } = phaseOf(phase, ways.find(({ file }) => prompt.includes(file)) ?? ways[0]);
  for (const [path, text] of Object.entries(files))
    if (!(await write(path, text))) return say(`Then ${path} stays as it is. What should I do instead?`);
  return say(words);
};

const makePlan = async (prompt) => {
  if (story.step === 'way') {
    // The rest is the conversation that a person continues: its choices stand in it.
    const known = ways.findIndex(({ label }) => prompt.includes(label));
    story.date = /Today is (\d{4}-\d\d-\d\d)/.exec(prompt)?.[1] ?? '';
    story.author = /The author is (.+)\.$/m.exec(prompt)?.[1] ?? 'unknown';
    if (known >= 0) {
      story.way = known;
      story.step = 'plan';
      await say('I know where we were. ');
      return handIn();
    }
    await read('.ralph/issues/1.md');
    await read('greetings/greet.mjs');
    await say(wayQuestion);
    story.step = 'outline';
    return undefined;
  }
  if (story.step === 'outline') {
    const chosen = ways.findIndex(({ label }) => prompt.includes(label));
    story.way = Math.max(0, chosen);
    if (chosen < 0) story.wishes.push(prompt);
    await read('test/greet.test.mjs');
    await say(outlineQuestion(ways[story.way]));
    story.step = 'plan';
    return undefined;
  }
  if (/^yes, and name the risks/.test(prompt))
    story.wishes.push('the risk is a language without a greeting, and the tests show that it falls back to English.');
  else if (!/^yes/i.test(prompt)) story.wishes.push(prompt);
  return handIn();
};

const handIn = async () => {
  await say(`This is the plan. Say what you would change, or keep it.\n\n${plan(story, ways[story.way])}`);
};

const answer = async (prompt) => {
  const phase = /carry out "(Phase \d+)/.exec(prompt)?.[1];
  if (phase !== undefined) return carryOut(phase, prompt);
  if (story.step === 'phase') return say('I am a script and know no more about this phase: check it, or change it yourself.');
  if (/skill "(?!create-plan)/.test(prompt))
    return say(
      'I am the sample agent of `ralph-tui demo skill`: I play create-plan and implement-plan. For all other skills, use an agent of your own.',
    );
  return makePlan(prompt);
};

const handle = async ({ id, method, params, result }) => {
  if (method === undefined) {
    waiting.get(id)?.(result ?? {});
    return;
  }
  if (method === 'initialize')
    send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: false }, authMethods: [] } });
  else if (method === 'session/new') {
    directory = params.cwd;
    session = 'sample';
    send({ id, result: { sessionId: session } });
  } else if (method === 'session/cancel') {
    isCancelled = true;
    for (const resolve of waiting.values()) resolve({});
  } else if (method === 'session/prompt') {
    isCancelled = false;
    await answer(params.prompt.map(({ text }) => text ?? '').join('\n'));
    send({ id, result: { stopReason: isCancelled ? 'cancelled' : 'end_turn' } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: `unknown method ${method}` } });
};

process.stdout.on('error', () => process.exit(1));
createInterface({ input: process.stdin })
  .on('line', (line) => void handle(JSON.parse(line)))
  .on('close', () => process.exit(0));
