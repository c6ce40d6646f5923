import { expect, onTestFinished, test } from 'vitest';
import { deviceLines, rename } from '../../src/cli/serve/devices.ts';
import { createSessions } from '../../src/cli/serve/sessions.ts';
import { createWorld } from '../../src/cli/world.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { routes } from '../../src/serve/access/routes.ts';
import type { Scope } from '../../src/serve/access/scope.ts';
import { readAction } from '../../src/serve/act/action.ts';
import { fieldsOf } from '../../src/serve/act/fields.ts';
import { everyEvent, pageSession } from '../helpers/page-session.ts';
import { deviceWith, served } from '../helpers/served.ts';
import { createStory } from '../helpers/story.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const tokens = {
  wrong: '1'.repeat(64),
  expired: '2'.repeat(64),
  revoked: '3'.repeat(64),
  watch: '4'.repeat(64),
  steer: '5'.repeat(64),
  approve: '6'.repeat(64),
};

const paths: Readonly<Record<(typeof routes)[number]['name'], string>> = {
  style: '/web/style.css',
  script: '/web/live.js',
  'pair-page': '/pair',
  pair: '/pair',
  sessions: '/',
  push: '/push',
  session: '/s/260215-101500',
  events: '/s/260215-101500/events',
  task: '/s/260215-101500/task/catalogue',
  plan: '/s/260215-101500/plan/plan',
  act: '/s/260215-101500/act',
};

/** The answer to each credential, in the order of `credentials`. Of a page that does not exist now it is 404. */
const open = [200, 200, 200, 200, 200, 200, 200, 403, 403, 403];
const forDevices = [401, 401, 401, 401, 200, 200, 200, 403, 403, 403];
const expected: Readonly<Record<keyof typeof paths, readonly number[]>> = {
  style: open,
  script: open,
  'pair-page': open,
  pair: open,
  sessions: forDevices,
  push: forDevices,
  session: forDevices,
  events: forDevices,
  task: forDevices,
  plan: forDevices.map((status) => (status === 200 ? 404 : status)),
  act: [401, 401, 401, 401, 403, 200, 200, 403, 403, 403],
};

test('every route with every credential: only a paired device sees a session, and only one that may changes it', async () => {
  const { ask, kept, pageToken } = served(everyEvent(), [
    deviceWith(tokens.expired, 'approve', '2026-01-02T00:00:00.000Z'),
    deviceWith(tokens.revoked, 'approve'),
    deviceWith(tokens.watch, 'watch'),
    deviceWith(tokens.steer, 'steer'),
    deviceWith(tokens.approve, 'approve'),
  ]);
  kept.revoke(deviceWith(tokens.revoked, 'approve').id);
  const credentials: readonly (readonly [string, string | undefined, Record<string, string>])[] = [
    ['none', undefined, {}],
    ['wrong', tokens.wrong, {}],
    ['expired', tokens.expired, {}],
    ['revoked', tokens.revoked, {}],
    ['watch', tokens.watch, {}],
    ['steer', tokens.steer, {}],
    ['approve', tokens.approve, {}],
    ['other origin', tokens.approve, { origin: 'https://evil.example' }],
    ['other host', tokens.approve, { host: 'evil.example:4711' }],
    ['other site', tokens.approve, { 'sec-fetch-site': 'cross-site' }],
  ];
  const found: Record<string, readonly number[]> = {};
  for (const { name, method } of routes) {
    const row: number[] = [];
    for (const [, token, headers] of credentials) {
      const answer = await ask(paths[name], {
        ...(token === undefined ? {} : { token }),
        headers: { ...headers, 'x-ralph-page': pageToken(token ?? '') },
        ...(method === 'POST' ? { body: 'do=info&message=hello&scope=watch' } : {}),
      });
      await answer.body?.cancel();
      row.push(answer.status);
    }
    found[name] = row;
  }
  expect(found).toEqual(expected);
});

test('a change needs the token of the page, a form, a length, and no more than 64 kB; what is no route is nothing', async () => {
  const token = tokens.approve;
  const { ask, pageToken } = served(everyEvent(), [deviceWith(token, 'approve')]);
  const page = { 'x-ralph-page': pageToken(token) };
  const status = async (path: string, headers: Record<string, string>, body?: string) =>
    (await ask(path, { token, headers, ...(body === undefined ? {} : { body }) })).status;
  expect(await status(paths.act, {}, 'do=pause')).toBe(403);
  expect(await status(paths.act, { 'x-ralph-page': 'x' }, 'do=pause')).toBe(403);
  expect(await status(paths.act, { ...page, 'content-type': 'application/json' }, '{}')).toBe(415);
  expect(await status(paths.act, { ...page, 'content-length': '65537' }, 'do=pause')).toBe(413);
  expect(await status(paths.act, { ...page, 'content-length': 'many' }, 'do=pause')).toBe(411);
  expect(await status(paths.act, { ...page, origin: 'null' }, 'do=pause')).toBe(403);
  expect(await status(paths.act, page)).toBe(405);
  expect(await status('//', page)).toBe(404);
  expect(await status('/s/..%2f..%2fetc/act', page, 'do=pause')).toBe(404);
  expect(await status('/web/..%2fpackage.json', {})).toBe(404);
  expect(await status('/s/260215-101500/task/..%2F..%2Fplan', {})).toBe(404);
  expect(await status('/s/%ff', {})).toBe(404);
});

test('a code pairs once; it is gone after five wrong tries', async () => {
  const { ask, desk, kept } = served(everyEvent(), []);
  const pair = async (code: string) =>
    ask('/pair', { body: new URLSearchParams({ code, name: 'My <b>phone</b>', scope: 'watch' }).toString() });
  const { code } = desk.open();
  const paired = await pair(` ${code.toUpperCase().replaceAll('-', ' ')} `);
  expect(paired.headers.get('set-cookie')).toMatch(
    /^ralph_serve=[0-9a-f]{64}; Max-Age=7776000; Path=\/[0-9a-f]{32}; HttpOnly; SameSite=Strict$/,
  );
  expect(await (await pair(code)).text()).toContain('No code is open');
  expect(kept.read().devices.map(({ name }) => name)).toEqual(['My <b>phone</b>']);
  const { code: second } = desk.open();
  for (let tries = 0; tries < 5; tries += 1)
    expect(await (await pair('bad-code')).text()).toMatch(/Wrong code/);
  expect(await (await pair(second)).text()).toContain('No code is open');
  expect(kept.read().devices).toHaveLength(1);
});

test('a code is too old after two minutes', async () => {
  const world = createWorld();
  let now = 0;
  const { ask, desk, kept } = served(everyEvent(), [], {
    ...world,
    clock: { ...world.clock, monotonic: () => now },
  });
  const pair = async (code: string): Promise<string> =>
    (
      await ask('/pair', { body: new URLSearchParams({ code, name: 'Kim', scope: 'watch' }).toString() })
    ).text();
  const { code } = desk.open();
  now = 120_000;
  expect(desk.code()).toBeNull();
  expect(await pair(code)).toContain('This code is too old');
  const { code: second } = desk.open();
  now += 119_999;
  expect(await pair(second)).toContain('Paired.');
  expect(kept.read().devices).toHaveLength(1);
});

test('a device gets another name, which is neither empty nor that of another one', () => {
  const { kept } = served(everyEvent(), [
    deviceWith(tokens.watch, 'watch'),
    deviceWith(tokens.steer, 'steer'),
  ]);
  expect(rename(kept, 'watch 4444', ' Sofa ')).toBe('watch 4444 is now called Sofa.');
  expect(deviceLines(kept).map((line) => line.split('  ').slice(1, 3))).toEqual(
    expect.arrayContaining([
      ['Sofa', 'watch'],
      ['steer 5555', 'steer'],
    ]),
  );
  expect(() => rename(kept, 'steer 5555', 'Sofa')).toThrow('a device is already called "Sofa"');
  expect(() => rename(kept, 'steer 5555', ' ')).toThrow('the new name is empty');
  expect(() => rename(kept, 'watch 4444', 'Desk')).toThrow('no device is called "watch 4444"');
});

test('a page that comes back hears the parts that changed since, and one that knows all hears none', () => {
  const { workspace, kept, env } = served(everyEvent(), [deviceWith(tokens.watch, 'watch')]);
  const cli = createTestCli({ cwd: workspace, env });
  const sessions = createSessions(
    cli,
    createWorld(),
    workspace,
    (session) => `/${kept.read().path}/s/${session}`,
  );
  onTestFinished(sessions.close);
  const feed = sessions.feed(pageSession);
  const newest = everyEvent().length;
  const heard = (since: number | null): readonly string[] => {
    const parts: string[] = [];
    feed?.watch(since, ({ event }) => parts.push(event))();
    return parts;
  };
  const all = ['head', 'needs', 'tasks', 'timeline', 'steering'];
  expect([heard(newest), heard(newest - 1), heard(null)]).toEqual([[], all, all]);
});

test('the lessons are kept or not by a device that may approve, and by no other', () => {
  const state = evolveAll(null, createStory().begin().knowledgeGate(['how-to/a.md']).events);
  const asked = (action: string, scope: Scope) =>
    readAction(state, fieldsOf(`do=${action}`) ?? new Map(), scope);
  expect(asked('approve', 'approve')).toMatchObject({
    kind: 'signal',
    signal: { type: 'APPROVE', target: 'Orchestrator' },
  });
  expect(asked('skip', 'approve')).toMatchObject({ kind: 'signal', signal: { type: 'SKIP' } });
  for (const action of ['approve', 'skip']) expect(asked(action, 'steer').kind).toBe('refused');
});

test('a device that asks too often is held back, and another one is not', async () => {
  const [one, two] = [tokens.watch, tokens.steer];
  const world = createWorld();
  // No time passes: what was used up does not fill again.
  const clock = { ...world.clock, monotonic: () => 0 };
  const devices = [deviceWith(one, 'watch'), deviceWith(two, 'watch')];
  const { ask } = served(everyEvent(), devices, { ...world, clock });
  const statuses: number[] = [];
  for (let count = 0; count < 70; count += 1) statuses.push((await ask('/', { token: one })).status);
  expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  expect((await ask('/', { token: two })).status).toBe(200);
});
