import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pass } from 'node:timers/promises';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { createChatCompletions } from './chat-completions.ts';
import type { Dialect, ReadRequest, ReplyWriter } from './dialect.ts';
import { exampleOfSchema } from './example-of-schema.ts';
import { gemini } from './gemini.ts';
import { createMessages } from './messages.ts';
import { createResponses } from './responses.ts';
import type { DeclaredTool, Lane, ModelRequest, Part, Step } from './script.ts';

/** Nothing of a test needs more; an agent that runs wild is refused. It lives as long as the longest test may take. */
const most = { requests: 2_000, bodyBytes: 20_000_000, lifetimeMs: 2 * limits.test };

/** How long the model takes before it searches once more for a tool that its agent did not find. */
const searchesAgainMs = 200;

const addressSchema = z.object({ port: z.number() });

/**
 * A model that follows a script, on loopback, in the words of Gemini (`…:streamGenerateContent`, `:generateContent`, `:countTokens`),
 * of OpenAI (`…/responses`, `…/chat/completions`) and of Anthropic (`…/messages`, `…/messages/count_tokens`). It stops after `most.lifetimeMs` when nobody closes it, and keeps no process alive.
 * `thinksMs`: how long it takes for each reply, as a model does.
 */
export const startModelServer = async (lanes: readonly Lane[] = [], thinksMs = 0) => {
  const script: Lane[] = [...lanes];
  const taken = new Map<Lane, number>();
  const requests: ModelRequest[] = [];
  const problems: string[] = [];
  const released = new Set<string>();
  const watchers = new Set<() => void>();
  const dialects = createDialects();
  const look = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  const until = (fits: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const watcher = (): void => {
        if (!fits()) return;
        watchers.delete(watcher);
        resolve();
      };
      watchers.add(watcher);
      watcher();
    });

  const nextStep = ({ whole, tools }: Pick<ReadRequest, 'tools' | 'whole'>): Found | null => {
    for (const lane of script) {
      const index = taken.get(lane) ?? 0;
      const step = lane.steps[index];
      if (!step || !lane.when.every((text) => whole.includes(text))) continue;
      const before = lane.steps[index - 1];
      if (before && searchesInVain(before, tools))
        return { lane, index: index - 1, step: before, kind: 'again' };
      taken.set(lane, index + 1);
      return { lane, index, step, kind: 'step' };
    }
    return null;
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? '/';
    const body = await readBody(incoming);
    const count = countOf(path);
    if (count) return json(response, 200, count);
    const dialect = incoming.method === 'POST' ? dialects.find((each) => each.path.test(path)) : undefined;
    if (!dialect) return json(response, 404, { error: { message: `unknown: ${incoming.method} ${path}` } });
    if (requests.length >= most.requests) return json(response, 503, dialect.failure(503));

    const read = dialect.read(body);
    const isSide = read.side !== null;
    const found = isSide ? null : nextStep(read);
    const request: ModelRequest = {
      at: Date.now(),
      dialect: dialect.name,
      kind: isSide ? 'side' : (found?.kind ?? 'unexpected'),
      lane: found?.lane.name ?? null,
      step: found?.index ?? -1,
      latest: read.latest,
      whole: read.whole,
      tools: read.tools,
      path,
      hungUp: false,
    };
    requests.push(request);
    response.on('close', () => {
      request.hungUp = !response.writableEnded;
      look();
    });
    look();
    if (request.kind === 'unexpected') problems.push(`no step is left for: ${excerpt(read.latest)}`);
    const { expects } = found?.kind === 'step' ? found.step : {};
    if (expects !== undefined && !read.latest.includes(expects))
      problems.push(`${found?.lane.name} ${found?.index}: expected "${expects}" in: ${excerpt(read.latest)}`);

    if (found && 'fail' in found.step)
      return json(response, found.step.fail, dialect.failure(found.step.fail));
    const thinks = thinksMs + (found?.kind === 'again' ? searchesAgainMs : 0);
    if (thinks > 0) await pass(thinks);
    const parts: readonly Part[] =
      found && 'reply' in found.step ? found.step.reply : [{ text: outside(read.side) }];
    if (path.includes(':generateContent') || read.inOnePiece)
      return json(response, 200, dialect.whole(plainText(parts)));
    await stream(response, dialect.stream(), parts, read);
  };

  const stream = async (
    response: ServerResponse,
    writer: ReplyWriter,
    parts: readonly Part[],
    { tools, whole }: Pick<ReadRequest, 'tools' | 'whole'>,
  ): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write(writer.begin());
    for (const part of parts) {
      if ('hold' in part) await until(() => released.has(part.hold) || response.destroyed);
      if (response.destroyed) return;
      if ('search' in part) response.write(writer.search(part.search));
      if ('text' in part) response.write(writer.text(part.text));
      if ('tool' in part)
        response.write(
          writer.call(
            'hidden' in part ? { name: part.tool } : resolveTool(tools, part.tool),
            'input' in part ? part.input : inDirectory(part.arguments, whole),
            'arguments' in part ? part.id : undefined,
          ),
        );
    }
    response.end(writer.end());
  };

  const resolveTool = (tools: readonly DeclaredTool[], name: string): DeclaredTool => {
    const found = findTool(tools, name);
    if (!found)
      problems.push(`the agent declared no tool ${name}: ${tools.map((tool) => tool.name).join(', ')}`);
    return found ?? { name };
  };

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      problems.push(String(error));
      if (!response.headersSent) response.writeHead(400);
      response.end(String(error));
    });
  });
  // A connection that rests is kept: a client that takes one up again while it is closed loses its request.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = addressSchema.parse(server.address());
  const close = (): void => {
    clearTimeout(lifetime);
    server.close();
    server.closeAllConnections();
  };
  const lifetime = setTimeout(close, most.lifetimeMs).unref();

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** What was not as the script says, in sentences; a test expects none. */
    problems,
    /** Adds lanes behind those that are there. */
    add: (...more: readonly Lane[]): void => {
      script.push(...more);
    },
    /** Steps that no request has taken yet, as `lane step`. */
    left: (): readonly string[] =>
      script.flatMap((lane) =>
        lane.steps.slice(taken.get(lane) ?? 0).map((_, at) => `${lane.name} ${(taken.get(lane) ?? 0) + at}`),
      ),
    /** Lets every reply that stands at a `hold` of this name, now or later, go on. */
    release: (name: string): void => {
      released.add(name);
      look();
    },
    /** Resolves with the request that took this step, once it is there. */
    step: async (lane: string, step: number): Promise<ModelRequest> => {
      const find = (): ModelRequest | undefined =>
        requests.find((request) => request.lane === lane && request.step === step);
      await until(() => find() !== undefined);
      const found = find();
      if (!found) throw new Error(`${lane} ${step} was there and is gone`);
      return found;
    },
    /** Resolves when `fits` is true, looked at whenever a request begins or ends. */
    until,
    close,
  };
};

/** What a request is answered with: the next step of a lane, or once more a search that has found nothing yet. */
interface Found {
  readonly lane: Lane;
  readonly index: number;
  readonly step: Step;
  readonly kind: 'step' | 'again';
}

const findTool = (tools: readonly DeclaredTool[], name: string): DeclaredTool | undefined =>
  tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name.endsWith(`_${name}`));

/** An agent takes a prompt before the servers of its tools have started, and a model then searches again. */
const searchesInVain = (step: Step, tools: readonly DeclaredTool[]): boolean =>
  'reply' in step && step.reply.some((part) => 'search' in part && !findTool(tools, part.search));

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

/** The wire formats, with ids that are unique in a run. */
const createDialects = (): readonly Dialect[] => {
  let last = 0;
  const nextId = (): number => {
    last += 1;
    return last;
  };
  return [gemini, createResponses(nextId), createMessages(nextId), createChatCompletions(nextId)];
};

/** The answer to a request that counts tokens, or `null`. */
const countOf = (path: string): object | null => {
  if (path.includes(':countTokens')) return { totalTokens: 1200 };
  return path.includes('/messages/count_tokens') ? { input_tokens: 1200 } : null;
};

/** The answer to a side request, and to one the script does not know. */
const outside = (side: unknown): string => {
  if (side === null) return 'The script of this model has no step for this request.';
  return side === true ? 'A short text.' : JSON.stringify(exampleOfSchema(side));
};

/**
 * The arguments with places for `{cwd}`, the directory that the agent tells its model it works in, and `{directory}`, the last one that our
 * `task_claim` named.
 */
const inDirectory = (
  given: Readonly<Record<string, unknown>>,
  whole: string,
): Readonly<Record<string, unknown>> => {
  const cwd = /working in the directory: (\S+)/.exec(whole)?.[1] ?? '';
  const claimed = [...whole.matchAll(/directory\\*":\s*\\*"([^"\\]+)/g)].at(-1)?.[1] ?? '';
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace('{cwd}', cwd).replace('{directory}', claimed) : value,
    ]),
  );
};

const plainText = (parts: readonly Part[]): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('');

const excerpt = (text: string): string => (text.length > 400 ? `…${text.slice(-400)}` : text);

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const readBody = async (incoming: IncomingMessage): Promise<unknown> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of incoming) {
    size += piece.length;
    // The rest is read all the same: a connection that closes while the client still sends loses the answer.
    if (size <= most.bodyBytes) pieces.push(piece);
  }
  if (size > most.bodyBytes) throw new Error(`a body of more than ${most.bodyBytes} bytes`);
  const text = Buffer.concat(pieces).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
};
