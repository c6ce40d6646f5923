import { describe, expect, it } from 'vitest';
import { postJson } from '../../src/issues/trackers/http.io.ts';
import { createLinearTracker } from '../../src/issues/trackers/linear.ts';
import { createLinearApi } from '../../src/issues/trackers/linear-api.ts';
import { withOverlay } from '../../src/issues/trackers/overlay.ts';
import { summarise } from '../../src/issues/trackers/tracker.ts';
import { linearKey, linearServer } from '../helpers/linear-server.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { trackerPorts } from '../helpers/tracker-ports.ts';
import { conforms } from './tracker-conformance.ts';

const open = async (key: string | undefined = linearKey, team = 'ENG') => {
  const server = await linearServer();
  const ports = trackerPorts();
  const clock = createManualClock();
  const api = createLinearApi({ post: postJson, url: server.url, key, clock });
  return { server, clock, tracker: withOverlay(createLinearTracker(api, team), ports) };
};

conforms('linear', { empty: async () => (await open()).tracker, keeps: { parents: true, labels: true } });

describe('linear', () => {
  it('uses the workflow states of the team, and keeps those it lacks in the overlay until a person moves the issue', async () => {
    const { tracker, server } = await open();
    await tracker.create({ title: 'one' });
    const stateNow = async () => {
      const shown = await tracker.show('ENG-1');
      return shown.ok ? shown.value.state : null;
    };
    await tracker.update('ENG-1', { state: 'In Progress' }, null);
    expect(server.issues[0]?.state.name).toBe('In Progress');
    await tracker.update('ENG-1', { state: 'Plan in Review' }, null);
    expect([server.issues[0]?.state.name, await stateNow()]).toEqual(['In Progress', 'Plan in Review']);
    const done = server.states.find(({ name }) => name === 'In Review');
    if (server.issues[0] && done) server.issues[0].state = done;
    expect(await stateNow()).toBe('In Review');
    await tracker.update('ENG-1', { state: 'Done' }, null);
    await tracker.update('ENG-1', { state: 'Human Needed' }, null);
    expect([server.issues[0]?.state.type, await stateNow()]).toEqual(['triage', 'Human Needed']);
  });

  it('reads every page, and a page that fails fails the reading', async () => {
    const { tracker, server } = await open();
    for (const title of ['a', 'b', 'c', 'd', 'e']) await tracker.create({ title });
    server.pageSize = 2;
    expect(summarise(await tracker.list())).toMatchObject({ ok: true, candidates: 5 });
    const page = (after: string): string =>
      JSON.stringify({ data: { issues: { nodes: [], pageInfo: { hasNextPage: true, endCursor: after } } } });
    server.failures.push({ status: 200, body: page('2') }, { status: 500, body: 'Internal Server Error' });
    expect(summarise(await tracker.list())).toEqual({
      ok: false,
      candidates: null,
      eligible: null,
      error: 'Linear answered 500',
    });
  });

  it('sends nothing more until the time at which its limit is filled again', async () => {
    const { tracker, server, clock } = await open();
    const reset = String(clock.now() + 90_000);
    const body = JSON.stringify({
      errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }],
    });
    server.failures.push({ status: 400, body, headers: { 'x-ratelimit-requests-reset': reset } });
    for (let at = 0; at < 3; at += 1)
      expect(summarise(await tracker.list()).error).toBe("Linear's rate limit is exhausted");
    expect(server.requests).toBe(1);
    clock.advance(91_000);
    expect(summarise(await tracker.list()).ok).toBe(true);
  });

  it.each([
    [200, '{"data": {"issues": {"nod', 'Linear answered with incomplete JSON'],
    [200, '{"data": {"issues": {"nodes": []}}}', 'Linear answered in an unknown format'],
    [
      200,
      '{"errors": [{"message": "Query too complex"}], "data": {"issues": null}}',
      'Linear refused the request: Query too complex',
    ],
    [503, '<html>', 'Linear answered 503'],
    [
      401,
      '{"errors": [{"message": "no", "extensions": {"code": "AUTHENTICATION_ERROR"}}]}',
      'Linear rejected LINEAR_API_KEY',
    ],
  ])('that answers %s %s is one sentence', async (status, body, sentence) => {
    const { tracker, server } = await open();
    server.failures.push({ status, body });
    expect(summarise(await tracker.list()).error).toContain(sentence);
  });

  it('without a key, without a server and without the team says so', async () => {
    const { tracker } = await open('');
    expect(summarise(await tracker.list()).error).toBe('LINEAR_API_KEY is not set');
    const clock = createManualClock();
    const api = createLinearApi({ post: postJson, url: 'http://127.0.0.1:1/', key: 'k', clock });
    expect(summarise(await createLinearTracker(api, 'ENG').list()).error).toBe('Linear cannot be reached');
    const other = await open(linearKey, 'OPS');
    expect(await other.tracker.create({ title: 'x' })).toMatchObject({
      faults: [{ what: 'there is no team OPS in Linear' }],
    });
  });
});
