import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { names } from '../../src/observability/otlp/names.ts';
import { startProgram, startSession } from '../helpers/program.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })).default([]),
  status: z.object({ code: z.number().optional() }).default({}),
});
const bodySchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});
type Span = z.infer<typeof spanSchema>;

type Manner = 'takes' | 'refuses' | 'never answers';

/** Stands in for a collector on loopback. */
const collector = async (
  manner: Manner,
): Promise<{ readonly url: string; readonly spans: Span[]; readonly asked: () => number }> => {
  const spans: Span[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      asked += 1;
      if (manner === 'never answers') return;
      if (manner === 'takes')
        for (const { scopeSpans } of bodySchema.parse(JSON.parse(text)).resourceSpans)
          for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(manner === 'takes' ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, asked: () => asked };
};

const plan = `goal: Two tasks
tasks:
  - id: good
    title: Print
    run: ['echo "$TRACEPARENT" > out.txt']
    files: [out.txt]
  - id: bad
    title: Fail
    run: ['exit 3']
    files: [bad.txt]
`;

const implemented = JSON.stringify({ status: 'completed', files_modified: [] });

const runWith = async (
  otlp: string | null,
  scene: { readonly plan?: string; readonly agents?: object } = {},
) => {
  const cwd = tempDir();
  const home = join(cwd, 'home');
  mkdirSync(join(home, 'ralph-tui'), { recursive: true });
  writeFileSync(
    join(home, 'ralph-tui/config.yaml'),
    JSON.stringify({
      observability: { otlp },
      retries: { max_attempts: 1 },
      agents: scene.agents ?? {},
    }),
  );
  writeFileSync(join(cwd, 'plan.yaml'), scene.plan ?? plan);
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8').trim();
  // The exporter is set up once in a process.
  const start = otlp === null ? startSession : startProgram;
  const result = await start(['run', '--plan', 'plan.yaml', '--headless'], {
    cwd,
    env: { XDG_CONFIG_HOME: home },
  }).done;
  return { ...result, read, out: read('out.txt') };
};

test('a session is one trace: agents below it, their commands below them, and TRACEPARENT names its root', async () => {
  const { url, spans } = await collector('takes');
  const { code, stderr, out } = await runWith(url);
  expect(code).toBe(1);
  expect(stderr).not.toContain('collector');
  const [root, ...others] = spans.filter(({ parentSpanId }) => !parentSpanId);
  expect(others).toEqual([]);
  expect(root).toMatchObject({ name: 'invoke_workflow waves', status: { code: 2 } });
  expect(out).toBe(`00-${root?.traceId}-${root?.spanId}-01`);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const parentOf = (span: Span): Span | undefined => spans.find(({ spanId }) => spanId === span.parentSpanId);
  const tools = spans.filter(({ name }) => name === 'execute_tool command');
  expect(tools.length).toBeGreaterThanOrEqual(2);
  for (const tool of tools) {
    expect(parentOf(tool)?.name).toBe('invoke_agent script');
    expect(parentOf(parentOf(tool) ?? tool)).toBe(root);
  }
  expect(spans.some(({ name }) => name === 'plan script')).toBe(true);
  expect(tools.filter(({ status }) => status.code === 2)).toHaveLength(1);
  const known: ReadonlySet<string> = new Set(Object.values(names));
  expect(
    spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)).filter((key) => !known.has(key)),
  ).toEqual([]);
  for (const span of spans)
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  expect(JSON.stringify(spans)).not.toContain('exit 3');
});

const acpLogSchema = z.object({
  what: z.literal('request'),
  method: z.string(),
  params: z.object({ _meta: z.object({ traceparent: z.string() }) }),
});

test('an ACP agent gets the trace by its environment and in every request, its tools in every answer, and a command agent by its environment', async () => {
  const { url, spans } = await collector('takes');
  const agent = createScriptedAgent(tempDir(), {
    turns: [
      {
        actions: [
          { do: 'shell', command: 'echo "$TRACEPARENT" > acp.txt' },
          { do: 'mcp', tool: 'check_signals' },
          { do: 'say', text: implemented },
        ],
      },
    ],
  });
  const { code, out, read } = await runWith(url, {
    agents: {
      acp: { type: 'acp', command: [agent.command, ...agent.args] },
      plain: {
        type: 'command',
        command: ['sh', '-c', `echo "$TRACEPARENT" > out.txt; printf '%s' '${implemented}'`],
      },
    },
    plan: `goal: Two agents
settings: {permissions: all}
tasks:
  - {id: good, title: Print, objective: Write it, agent: plain, files: [out.txt]}
  - {id: other, title: Print, objective: Write it, agent: acp, files: [acp.txt]}
`,
  });
  expect(code).toBe(0);
  const root = spans.find(({ parentSpanId }) => !parentSpanId);
  const traceparent = `00-${root?.traceId}-${root?.spanId}-01`;
  expect({ out, acp: read('acp.txt') }).toEqual({ out: traceparent, acp: traceparent });
  const requests = agent
    .log()
    .filter(({ what }) => what === 'request')
    .map((entry) => acpLogSchema.parse(entry));
  expect(requests.map(({ method }) => method)).toEqual(
    expect.arrayContaining(['initialize', 'session/new', 'session/prompt']),
  );
  for (const { params } of requests) expect(params._meta).toEqual({ traceparent });
  expect(agent.log().find(({ what }) => what === 'mcp result')).toMatchObject({
    result: { _meta: { traceparent } },
  });
});

test.each([
  ['away', async () => 'http://127.0.0.1:9'],
  ['refusing', async () => (await collector('refuses')).url],
  ['slow', async () => (await collector('never answers')).url],
])('a collector that is %s changes nothing but one sentence after the end', async (_, urlOf) => {
  const plain = await runWith(null);
  const traced = await runWith(await urlOf());
  expect(traced.code).toBe(plain.code);
  expect(traced.stdout.split('\n').length).toBe(plain.stdout.split('\n').length);
  expect(
    traced.stderr.match(
      /the collector at http:\/\/127\.0\.0\.1:\d+\/? did not accept \d+ spans of the trace: .+/g,
    ),
  ).toHaveLength(1);
});

test('without a collector no trace is told to agents', async () => {
  expect((await runWith(null)).out).toBe('');
});
