import { expect, test } from 'vitest';
import type { Core } from '../../src/engine/core.ts';
import { noOtherSessions } from '../../src/engine/invocation/other-sessions.ts';
import { noShadow } from '../../src/engine/invocation/session-shadow.ts';
import { createLoop } from '../../src/engine/loop.ts';
import type { actOn } from '../../src/engine/mailbox/act.ts';
import { createBacklog } from '../../src/engine/mailbox/backlog.ts';
import { createBroadcasts } from '../../src/engine/mailbox/broadcasts.ts';
import { createCheckpoints } from '../../src/engine/mailbox/checkpoint.ts';
import { createClaims } from '../../src/engine/mailbox/claims.ts';
import { createDeliveries } from '../../src/engine/mailbox/deliveries.ts';
import { createLedger } from '../../src/engine/mailbox/ledger.ts';
import { createSessionSignals } from '../../src/engine/mailbox/session-signals.ts';
import { createScreens } from '../../src/engine/screens.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { createSimulatedSession } from '../helpers/engine-session.ts';

/** A poller over a mailbox whose acts are the test's own. */
const createPoller = (act: typeof actOn) => {
  const { disk, clock, random, spawn, paths, publish, mailbox: open } = createSimulatedSession({ plan: '' });
  const mailbox = open();
  mailbox.open();
  const events: Event[] = [];
  const loop = createLoop({
    clock,
    journal: { append: () => {}, write: () => {}, flush: () => {}, takeCut: () => null, close: () => {} },
    state: null,
    observers: new Set([(event: Event) => events.push(event)]),
    clean: (body) => body,
    stillOurs: () => true,
  });
  loop.join({
    note: () => {},
    poll: () => {},
    rest: () => false,
    perform: () => {},
    ending: () => {},
    broken: (fault) => {
      throw new Error(fault.what);
    },
  });
  loop.commit({
    type: 'session.created',
    session_id: paths.session,
    workspace: paths.workspace,
    goal: '',
    source: 'plan',
    settings: {},
  });
  const core: Core = {
    options: {
      disk,
      clock,
      random,
      spawn,
      paths,
      backends: [],
      begin: { kind: 'resume', settings: loop.state().settings, takeOver: false },
      attended: false,
      proofs: null,
      program: 'test',
    },
    loop,
    screens: createScreens(),
    hooksAtStart: new Map(),
    redact: (text: string) => text,
    mailbox,
    ledger: createLedger(),
    takeCut: () => null,
    epoch: 1,
    isStillOurs: () => true,
    shadow: noShadow,
    others: noOtherSessions,
    problem: () => {},
    block: () => {},
  };
  const backlog = createBacklog(core);
  const claims = createClaims(core, backlog);
  const deliveries = createDeliveries(core, claims, createBroadcasts(core, claims, backlog));
  const checkpoints = createCheckpoints({
    core,
    claims,
    deliveries,
    orders: createSessionSignals(core, claims, act),
    again: () => {},
  });
  const poll = () =>
    checkpoints.poll({ agent: 'Orchestrator', invocation: '1', task: null }, 'Orchestrator.boundary', true);
  return { poll, publish, mailbox, events };
};

test('an act that throws is tried again on the next polls, three times, then the signal is rejected with the reason', () => {
  let tries = 0;
  const { poll, publish, mailbox, events } = createPoller(() => {
    tries += 1;
    throw new Error('no luck');
  });
  publish({ type: 'PAUSE' });
  poll();
  expect(tries).toBe(1);
  expect(mailbox.list().map(({ stage }) => stage)).toEqual(['claimed']);
  poll();
  poll();
  expect(tries).toBe(3);
  expect(mailbox.list()).toMatchObject([{ stage: 'rejected' }]);
  expect(events.at(-1)).toMatchObject({
    type: 'signal.rejected',
    reason: 'failed 3 times: no luck',
  });
  poll();
  expect(tries).toBe(3);
});

test('one that throws once is acted on at the next poll and archived once', () => {
  let tries = 0;
  const { poll, publish, mailbox, events } = createPoller(() => {
    tries += 1;
    if (tries === 1) throw new Error('no luck');
    return { kind: 'done', facts: [], action: () => 'done at last', stops: [] };
  });
  publish({ type: 'PAUSE' });
  poll();
  poll();
  poll();
  expect(tries).toBe(2);
  expect(mailbox.list()).toMatchObject([{ stage: 'processed', handling: { action_taken: 'done at last' } }]);
  expect(events.filter(({ type }) => type === 'signal.handled')).toHaveLength(1);
});
