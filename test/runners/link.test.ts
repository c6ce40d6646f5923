import { expect, test } from 'vitest';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import type { Carrier } from '../../src/runners/carriers/carrier.ts';
import { createSshCarrier } from '../../src/runners/carriers/ssh.ts';
import { createLink, type Link } from '../../src/runners/link/link.ts';
import { createOutbox } from '../../src/runners/link/outbox.ts';
import type { LinkState } from '../../src/runners/link/pipe.ts';
import { createConnection } from '../../src/runners/remote/connection.ts';
import { protocol } from '../../src/runners/wire/frame.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createSimulatedCarrier, fair, type Weather } from '../helpers/simulated-carrier.ts';

const chances = (seed: number): (() => number) => {
  let state = seed + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

/** Two links over one simulated network; the near one connects again after each end. */
const pair = (weather: Weather, seed = 1) => {
  const clock = createManualClock();
  const chance = chances(seed);
  const near: unknown[] = [];
  const far: unknown[] = [];
  const states: LinkState[] = [];
  const side = (self: string, into: unknown[], changed: (state: LinkState) => void = () => undefined): Link =>
    createLink({ clock, self, program: self, deliver: (body) => void into.push(body), changed });
  const farLink = side('far', far);
  const carrier = createSimulatedCarrier(clock, chance, (pipe) => farLink.attach(pipe), weather);
  const connect = (): void => {
    const waiting: (() => void)[] = [];
    let end: ReturnType<Link['attach']> | null = null;
    const pipe = carrier.open('link', {
      line: (text) => end?.line(text),
      waits: () => end?.waits(),
      ended: (why) => (end === null ? waiting.push(() => end?.ended(why)) : end.ended(why)),
    });
    end = nearLink.attach(pipe);
    for (const run of waiting) run();
  };
  const nearLink: Link = side('near', near, (state) => {
    states.push(state);
    if (state.kind === 'unreachable') clock.after(1_000, connect);
  });
  connect();
  return { clock, chance, carrier, nearLink, farLink, near, far, states };
};

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'every message arrives once and in order, whatever the network does (seed %i)',
  (seed) => {
    const { clock, chance, carrier, nearLink, farLink, near, far } = pair(
      { delayMs: 5, duplicate: 0.2, reorder: 0.3 },
      seed,
    );
    for (let n = 0; n < 200; n += 1) {
      nearLink.send({ near: n });
      if (chance() < 0.7) farLink.send({ far: n });
      if (chance() < 0.05) {
        carrier.cut();
        clock.advance(Math.floor(chance() * 4_000));
        carrier.mend();
      }
      clock.advance(Math.floor(chance() * 40));
    }
    carrier.mend();
    clock.advance(60_000);
    expect(far).toEqual(Array.from({ length: 200 }, (_, n) => ({ near: n })));
    const numbers = near.map((body) => (body as { far: number }).far);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    farLink.send('last');
    clock.advance(60_000);
    expect(near.at(-1)).toBe('last');
  },
);

test('a cut of 30 s loses and repeats nothing, and the time of the loss is known', () => {
  const { clock, carrier, nearLink, farLink, near, far, states } = pair(fair);
  clock.advance(10);
  nearLink.send('before');
  carrier.cut();
  const cutAt = clock.now();
  nearLink.send('during');
  farLink.send('meanwhile');
  clock.advance(30_000);
  expect(nearLink.state()).toMatchObject({ kind: 'unreachable', since: cutAt });
  carrier.mend();
  clock.advance(2_000);
  expect(far).toEqual(['before', 'during']);
  expect(near).toEqual(['meanwhile']);
  expect(states.at(-1)?.kind).toBe('reachable');
});

test('a side that sends nothing for 15 s counts as unreachable, though its connection stands', () => {
  const { clock, nearLink, farLink } = pair(fair);
  clock.advance(10);
  expect(nearLink.state().kind).toBe('reachable');
  farLink.close();
  clock.advance(20_000);
  expect(nearLink.state().kind).toBe('unreachable');
});

test('a side that started anew has forgotten the work: the link is over', () => {
  const { clock, carrier, nearLink } = pair(fair);
  clock.advance(10);
  const other = createLink({
    clock,
    self: 'another',
    program: 'x',
    deliver: () => undefined,
    changed: () => undefined,
  });
  carrier.replace((pipe) => other.attach(pipe));
  clock.advance(5_000);
  expect(nearLink.state()).toMatchObject({ kind: 'broken', why: { code: 'runner-restarted' } });
});

test('a side that started anew knows by the first word of the other that it cannot go on', () => {
  const clock = createManualClock();
  const closed: true[] = [];
  const link = createLink({
    clock,
    self: 'b',
    program: 'x',
    deliver: () => undefined,
    changed: () => undefined,
  });
  const end = link.attach({ write: () => undefined, close: () => void closed.push(true) });
  end.line(JSON.stringify({ t: 'hello', protocol, program: 'x', self: 'a', received: 3 }));
  expect(link.state()).toMatchObject({ kind: 'broken', why: { code: 'link-unknown' } });
  expect(closed).toEqual([true]);
});

test('another protocol is refused with both numbers', () => {
  const clock = createManualClock();
  const link = createLink({
    clock,
    self: 'a',
    program: 'x',
    deliver: () => undefined,
    changed: () => undefined,
  });
  const end = link.attach({ write: () => undefined, close: () => undefined });
  end.line(
    JSON.stringify({
      t: 'hello',
      protocol: protocol + 1,
      program: 'ralph-tui 9.0.0',
      self: 'b',
      received: 0,
    }),
  );
  expect(link.state()).toMatchObject({
    kind: 'broken',
    why: {
      what: `ralph-tui 9.0.0 there speaks protocol ${protocol + 1}, but this program speaks protocol ${protocol}`,
    },
  });
});

test('another protocol of a runner, and one that stays silent, are one sentence with what to do', async () => {
  const clock = createManualClock();
  const opened = (hints: Carrier['hints'], hello: object | null) =>
    createConnection({
      clock,
      random: createRandom(),
      program: 'x',
      programs: [],
      serve: () => undefined,
      changed: () => undefined,
      odd: () => undefined,
      carrier: {
        kind: 'ssh',
        ...(hints === undefined ? {} : { hints }),
        open: (_link, ends) => {
          if (hello !== null) clock.after(1, () => ends.line(JSON.stringify(hello)));
          return { write: () => undefined, close: () => undefined };
        },
      },
    });
  const target = { name: 'gpu', alias: 'gpu1', version: '1.0.0' };
  const ports = { spawn: createSpawn(), clock, env: {}, cwd: '/' };
  for (const [command, hint] of [
    [null, '`ralph-tui runners install gpu` installs this version'],
    [
      ['mine'],
      'runners.gpu.command names the remote program: correct it, or remove it and run `ralph-tui runners install gpu`',
    ],
  ] as const) {
    const { hints } = createSshCarrier(ports, { ...target, command });
    const hello = { t: 'hello', protocol: protocol + 1, program: 'y', self: 'b', received: 0 };
    const { ready } = opened(hints, hello);
    clock.advance(1);
    await expect(ready).rejects.toMatchObject({ fault: { code: 'runner-protocol', hint } });
    const silent = opened(hints, null);
    clock.advance(20_000);
    await expect(silent.ready).rejects.toMatchObject({
      fault: {
        what: 'it sent nothing for 15 s',
        hint: 'check that `ssh gpu1 true` exits: the remote shell may be waiting for input as it starts',
      },
    });
  }
});

test('messages ahead of one that never comes take a bounded place, and are asked for again', () => {
  const clock = createManualClock();
  const got: unknown[] = [];
  const written: string[] = [];
  const link = createLink({
    clock,
    self: 'a',
    program: 'x',
    deliver: (body) => void got.push(body),
    changed: () => undefined,
  });
  const end = link.attach({ write: (line) => void written.push(line), close: () => undefined });
  end.line(JSON.stringify({ t: 'hello', protocol, program: 'x', self: 'b', received: 0 }));
  const data = (n: number): void =>
    end.line(JSON.stringify({ t: 'data', n, ack: 0, body: 'x'.repeat(1_048_576) }));
  for (let n = 2; n <= 40; n += 1) data(n);
  data(1);
  expect(got.length).toBeGreaterThan(10);
  expect(got.length).toBeLessThan(17);
  data(40);
  expect(written.at(-1)).toContain(`"missing":${got.length + 1}`);
});

test('a message that overtakes the greeting of its side is asked for again', () => {
  const clock = createManualClock();
  const got: unknown[] = [];
  const written: string[] = [];
  const link = createLink({
    clock,
    self: 'a',
    program: 'x',
    deliver: (body) => void got.push(body),
    changed: () => undefined,
  });
  const end = link.attach({ write: (line) => void written.push(line), close: () => undefined });
  const data = JSON.stringify({ t: 'data', n: 1, ack: 0, body: 'first' });
  end.line(data);
  end.line(JSON.stringify({ t: 'hello', protocol, program: 'x', self: 'b', received: 0 }));
  expect(written.at(-1)).toContain('"missing":1');
  end.line(data);
  expect(got).toEqual(['first']);
});

test('a greeting of a login shell is passed over, and a garbled line ends the connection', () => {
  const clock = createManualClock();
  const link = createLink({
    clock,
    self: 'a',
    program: 'x',
    deliver: () => undefined,
    changed: () => undefined,
  });
  const closed: true[] = [];
  const end = link.attach({ write: () => undefined, close: () => void closed.push(true) });
  end.line('Welcome to Debian');
  end.line(JSON.stringify({ t: 'hello', protocol, program: 'x', self: 'b', received: 0 }));
  expect(link.state().kind).toBe('reachable');
  end.line('{"t":"data","n":-1}');
  expect(closed).toEqual([true]);
  expect(link.state()).toMatchObject({ kind: 'unreachable', why: { code: 'link-garbled' } });
});

test('output in the middle is dropped with a count beyond the bound, and facts never', () => {
  const outbox = createOutbox(10_000);
  for (let n = 1; n <= 100; n += 1)
    if (n % 10 === 0) outbox.add({ fact: n }, 'fact');
    else outbox.add({ output: 'x'.repeat(500), n }, { output: { dropped: 500, n } });
  expect(outbox.size()).toBeLessThan(10_600);
  const kept = outbox.after(0);
  expect(kept.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  const bodies = kept.map(
    ({ text }): { readonly fact?: number; readonly output?: string; readonly dropped?: number } =>
      JSON.parse(text),
  );
  expect(bodies.filter(({ fact }) => fact !== undefined)).toHaveLength(10);
  expect(bodies[0]?.output).toBeDefined();
  expect(bodies[98]?.output).toBeDefined();
  expect(bodies.filter(({ dropped }) => dropped === 500).length).toBeGreaterThan(50);
});
