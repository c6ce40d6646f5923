import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { z } from 'zod';
import { callMcpTool } from './call-mcp-tool.ts';
import type { Action } from './script.ts';
import { type Params, RpcError, type Wire } from './wire.ts';

/** What is being done for one prompt. */
export interface Turn {
  readonly cancel: AbortController;
  /** The answer to the prompt; rejects with the error a script asks for. */
  readonly ended: Promise<{ readonly stopReason: string }>;
  /** Tells it that a message came in the middle. */
  readonly steered: (text: string) => void;
}

/** A running turn as its actions see it. */
interface Context {
  readonly sessionId: string;
  readonly signal: AbortSignal;
  steers: number;
  /** Called when `steers` grew. */
  onSteer: () => void;
}

export interface PerformerDeps {
  readonly wire: Wire;
  readonly log: (what: string, detail?: object) => void;
}

const fourOptions = [
  { optionId: 'o-1', kind: 'allow_always', name: 'Always' },
  { optionId: 'o-2', kind: 'allow_once', name: 'Yes' },
  { optionId: 'o-3', kind: 'reject_once', name: 'No' },
  { optionId: 'o-4', kind: 'reject_always', name: 'Never' },
];

const permissionSchema = z.object({
  outcome: z.union([
    z.object({ outcome: z.literal('selected'), optionId: z.string() }),
    z.object({ outcome: z.literal('cancelled') }),
  ]),
});

/** How a turn ends before its last action. */
class Ended extends Error {
  readonly stopReason: string;
  constructor(stopReason: string) {
    super(stopReason);
    this.stopReason = stopReason;
  }
}

/** Performs the actions of a script in the directory of the newest session. */
export const createPerformer = ({ wire, log }: PerformerDeps) => {
  let session: Params = {};
  let nextTool = 1;
  const directory = (): string => (typeof session['cwd'] === 'string' ? session['cwd'] : process.cwd());
  const update = (context: Context, content: object): Promise<void> =>
    wire.notify('session/update', { sessionId: context.sessionId, update: content });
  const say = (context: Context, text: string): Promise<void> =>
    update(context, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

  const tool = async (context: Context, detail: object): Promise<string> => {
    const toolCallId = `tool-${nextTool}`;
    nextTool += 1;
    await update(context, { sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', ...detail });
    return toolCallId;
  };
  const toolEnded = (context: Context, toolCallId: string, ok: boolean, text: string): Promise<void> =>
    update(context, {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: ok ? 'completed' : 'failed',
      content: [{ type: 'content', content: { type: 'text', text } }],
    });

  const askPermission = async (
    context: Context,
    toolCall: object,
    options: readonly Params[] = fourOptions,
  ): Promise<string> => {
    const answer = permissionSchema.safeParse(
      await wire.request('session/request_permission', { sessionId: context.sessionId, toolCall, options }),
    );
    const chosen = answer.success ? answer.data.outcome : { outcome: 'unusable' };
    const option =
      'optionId' in chosen ? options.find((each) => each['optionId'] === chosen.optionId) : undefined;
    const kind = String(option?.['kind'] ?? chosen.outcome);
    log('permission', { kind, toolCall });
    return kind;
  };

  const shell = async (context: Context, command: string): Promise<void> => {
    const id = await tool(context, { title: command, kind: 'execute', rawInput: { command } });
    const child = spawn('/bin/sh', ['-c', command], { cwd: directory(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
    child.stderr.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
    const stop = (): void => {
      child.kill();
      // What the command started may hold these open for long.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    context.signal.addEventListener('abort', stop);
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    context.signal.removeEventListener('abort', stop);
    log('shell', { command, code, output });
    await toolEnded(context, id, code === 0, output);
  };

  const mcp = async (context: Context, name: string, input: Params): Promise<void> => {
    const id = await tool(context, { title: name, kind: 'other', rawInput: input });
    log('mcp call', { tool: name, arguments: input });
    const result = await callMcpTool(session, name, input, context.signal);
    log('mcp result', { tool: name, result });
    await toolEnded(context, id, true, JSON.stringify(result));
  };

  const perform = async (context: Context, action: Action): Promise<void> => {
    switch (action.do) {
      case 'say':
        return say(context, action.text);
      case 'think':
        return update(context, {
          sessionUpdate: 'agent_thought_chunk',
          content: { type: 'text', text: action.text },
        });
      case 'update':
        return update(context, action.update);
      case 'permission': {
        const kind = await askPermission(context, action.toolCall, action.options);
        return performAll(context, (kind.startsWith('allow') ? action.allowed : action.rejected) ?? []);
      }
      case 'elicit': {
        const { message, schema: requestedSchema } = action;
        const params = { sessionId: context.sessionId, mode: 'form', message, requestedSchema };
        log('form', { answer: await wire.request('elicitation/create', params) });
        return;
      }
      case 'permissions':
        await Promise.all(
          Array.from({ length: action.times }, (_, index) =>
            askPermission(context, { ...action.toolCall, toolCallId: `asked-${index}` }),
          ),
        );
        return;
      case 'shell':
        return shell(context, action.command);
      case 'fork': {
        const child = spawn('/bin/sh', ['-c', action.command], {
          cwd: directory(),
          stdio: 'ignore',
          detached: true,
          ...(action.unmarked ? { env: {} } : {}),
        });
        child.unref();
        log('forked', { command: action.command, child: child.pid });
        return;
      }
      case 'write': {
        const path = join(directory(), action.path);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, action.text);
        return;
      }
      case 'mcp':
        return mcp(context, action.tool, action.arguments ?? {});
      case 'raw':
        return wire.raw(action.text);
      case 'repeat':
        for (const { text, times } of action.parts) await wire.raw(text.repeat(times));
        return;
      case 'stderr':
        process.stderr.write(action.text);
        return;
      case 'flood-text': {
        const chunk = `${'flood '.repeat(682)}\n`;
        for (let sent = 0; sent < action.bytes && !context.signal.aborted; sent += chunk.length)
          await say(context, chunk);
        return;
      }
      case 'flood-tools':
        for (let index = 0; index < action.calls && !context.signal.aborted; index += 1)
          await toolEnded(
            context,
            await tool(context, { title: `call ${index}`, kind: 'read' }),
            true,
            'read',
          );
        return;
      case 'stream':
        return stream(context, action);
      case 'until-file':
        while (!existsSync(action.path) && !context.signal.aborted) await pass(10);
        return;
      case 'until-steered':
        while (context.steers < (action.times ?? 1) && !context.signal.aborted)
          await new Promise<void>((resolve) => {
            context.onSteer = resolve;
            context.signal.addEventListener('abort', () => resolve(), { once: true });
          });
        return;
      case 'hang':
        return new Promise((resolve) => context.signal.addEventListener('abort', () => resolve()));
      case 'exit':
        // What was written before stands in the pipe; an exit at once could cut it.
        await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
        return process.exit(action.code);
      case 'end':
        throw new Ended(action.stopReason);
      case 'fail':
        throw new RpcError(action.code, action.message, action.data);
    }
  };

  const stream = async (
    context: Context,
    { perSecond, updates, text }: Extract<Action, { do: 'stream' }>,
  ): Promise<void> => {
    const began = performance.now();
    const texts = typeof text === 'string' ? [text] : text;
    for (let sent = 0; sent < updates && !context.signal.aborted; ) {
      const due = Math.min(updates, Math.ceil(((performance.now() - began) / 1000) * perSecond));
      for (; sent < due; sent += 1) await say(context, texts[sent % texts.length] ?? '');
      await pass(10);
    }
    log('streamed', { updates, ms: performance.now() - began });
  };

  const performAll = async (context: Context, actions: readonly Action[]): Promise<void> => {
    for (const action of actions) {
      await perform(context, action);
      if (context.signal.aborted) throw new Ended('cancelled');
    }
  };

  return {
    /** The parameters of `session/new`: directory and MCP servers. */
    enter: (params: Params): void => {
      session = params;
    },
    begin: (sessionId: string, actions: readonly Action[]): Turn => {
      const cancel = new AbortController();
      const context: Context = { sessionId, signal: cancel.signal, steers: 0, onSteer: () => {} };
      const ended = performAll(context, actions).then(
        () => ({ stopReason: 'end_turn' }),
        (error: unknown) => {
          if (error instanceof Ended) return { stopReason: error.stopReason };
          if (cancel.signal.aborted) return { stopReason: 'cancelled' };
          throw error;
        },
      );
      return {
        cancel,
        ended,
        steered: (text) => {
          log('steered', { text });
          context.steers += 1;
          context.onSteer();
        },
      };
    },
  };
};
