/** A coding agent that follows a script: `node follow-script.ts SCRIPT.json`. It is a real process that speaks ACP on stdio. */
import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { createPerformer, type Turn } from './perform.ts';
import { agentScriptSchema, type ScriptTurn } from './script.ts';
import { createWire, type Params, RpcError } from './wire.ts';

const script = agentScriptSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const ignores = new Set(script.ignores ?? []);
const log = (what: string, detail: object = {}): void =>
  appendFileSync(script.log, `${JSON.stringify({ at: Date.now(), pid: process.pid, what, ...detail })}\n`);

const usedUp = new Set<ScriptTurn>();
let loggedIn = false;
let sessions = 0;
let running: Turn | null = null;

const wire = createWire({
  request: (method, params) => {
    log('request', { method, params });
    return handle(method, params);
  },
  notification: (method, params) => {
    log('notification', { method, params });
    if (method === 'session/cancel' && !ignores.has('cancel')) running?.cancel.abort();
  },
  ended: () => {
    log('input ended');
    if (!ignores.has('end of input')) process.exit(0);
  },
});
const performer = createPerformer({ wire, log });

const handle = async (method: string, params: Params): Promise<unknown> => {
  switch (method) {
    case 'initialize':
      return initialize();
    case 'authenticate':
      if (script.authenticate !== 'accept') throw new RpcError(-32603, 'This login is refused.');
      loggedIn = true;
      return {};
    case 'session/new':
      return newSession(params);
    case 'session/load':
    case 'session/resume':
      performer.enter(params);
      return {};
    case 'session/prompt':
      return prompt(params);
    case '_session/steering':
      return steer(params);
    case 'session/set_mode':
    case 'session/set_config_option':
    case 'session/set_model':
    case 'session/close':
      return {};
    default:
      throw new RpcError(-32601, `unknown method ${method}`);
  }
};

const initialize = (): unknown => {
  if (script.initialize === 'never') return undefined;
  return {
    protocolVersion: 1,
    agentInfo: { name: 'scripted-agent', version: '1.0.0' },
    agentCapabilities: {
      loadSession: false,
      mcpCapabilities: { http: true, sse: false },
      promptCapabilities: { image: false, audio: false, embeddedContext: false },
    },
    authMethods:
      script.newSession === 'login'
        ? [{ id: 'scripted', name: 'Scripted login', description: 'scripted-agent login' }]
        : [],
    ...(script.steering === undefined ? {} : { _meta: { steering: { supported: true } } }),
    ...script.initialize,
  };
};

const newSession = (params: Params): unknown => {
  if (script.newSession === 'never') return undefined;
  if (script.newSession === 'login' && !loggedIn) throw new RpcError(-32000, 'Authentication required');
  sessions += 1;
  performer.enter(params);
  return {
    sessionId: `scripted-${process.pid}-${sessions}`,
    ...(typeof script.newSession === 'object' ? script.newSession : {}),
  };
};

const promptSchema = z.object({
  sessionId: z.string(),
  prompt: z.array(z.object({ text: z.string().optional() })),
});

const prompt = async (params: Params): Promise<unknown> => {
  const { sessionId, prompt: blocks } = promptSchema.parse(params);
  const text = blocks.map((block) => block.text ?? '').join('\n');
  if (running) {
    if (script.secondPrompt === 'refuses') throw new RpcError(-32600, 'a prompt is already running');
    if (script.secondPrompt === 'injects') {
      running.steered(text);
      return running.ended;
    }
    running.cancel.abort();
  }
  const served = script.turns.find(
    (turn) => !usedUp.has(turn) && (turn.when === undefined || text.includes(turn.when)),
  );
  if (served && !served.again) usedUp.add(served);
  log(served ? 'turn' : 'no turn fits', { index: served ? script.turns.indexOf(served) : -1 });
  const turn = performer.begin(
    sessionId,
    served?.actions ?? [{ do: 'say', text: 'The script of this agent has no turn for this prompt.' }],
  );
  running = turn;
  try {
    return await turn.ended;
  } finally {
    if (running === turn) running = null;
    if (served?.afterwards) void performer.begin(sessionId, served.afterwards).ended;
  }
};

const steer = (params: Params): unknown => {
  if (script.steering === undefined) throw new RpcError(-32601, 'unknown method _session/steering');
  if (!running || script.steering === 'promptRequired')
    return { outcome: 'promptRequired', reason: 'noRunningTurn' };
  const { prompt: blocks } = promptSchema.parse(params);
  if (script.steering === 'injected') running.steered(blocks.map((block) => block.text ?? '').join('\n'));
  return { outcome: script.steering };
};

process.on('SIGTERM', () => {
  log('SIGTERM');
  if (!ignores.has('SIGTERM')) process.exit(143);
});
process.stdout.on('error', () => process.exit(1));
setTimeout(() => process.exit(70), script.lifetime ?? 600_000);
log('started', { marker: process.env['RALPH_RUN'] ?? null, environment: Object.keys(process.env).sort() });
await performer.begin('', script.atStart ?? []).ended;
wire.listen();
