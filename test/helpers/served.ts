import { onTestFinished } from 'vitest';
import { sha256 } from '../../src/base/hash.io.ts';
import { createApp } from '../../src/cli/serve/create-app.ts';
import { createDesk } from '../../src/cli/serve/desk.ts';
import { keptFilesOf } from '../../src/cli/serve/kept-files.ts';
import { createSessions } from '../../src/cli/serve/sessions.ts';
import { createWorld } from '../../src/cli/world.ts';
import type { Event } from '../../src/pipeline/event.ts';
import type { Device } from '../../src/serve/access/device.ts';
import type { Scope } from '../../src/serve/access/scope.ts';
import { pageSession, writeSession } from './page-session.ts';
import { tempDir } from './temp-dir.ts';
import { createTestCli } from './test-cli.ts';

export const servedPort = 4_711;

/** A device of the list, and the token that its browser keeps. */
export const deviceWith = (token: string, scope: Scope, expires = '2999-01-01T00:00:00.000Z'): Device => ({
  id: sha256(token).slice(0, 16),
  name: `${scope} ${token.slice(0, 4)}`,
  scope,
  token: sha256(token),
  paired: '2026-01-01T00:00:00.000Z',
  expires,
});

/** What `serve` answers about a workspace with this one session, without a port. */
export const served = (events: readonly Event[], devices: readonly Device[], world = createWorld()) => {
  const workspace = tempDir();
  const env = { ...process.env, XDG_STATE_HOME: tempDir() };
  writeSession(workspace, events);
  const cli = createTestCli({ cwd: workspace, env });
  const kept = keptFilesOf(env, world, workspace);
  for (const device of devices) kept.pair(device);
  const { path } = kept.read();
  const sessions = createSessions(cli, world, workspace, (session) => `/${path}/s/${session}`);
  onTestFinished(sessions.close);
  const desk = createDesk(world, kept, () => {});
  const app = createApp({
    env,
    world,
    kept,
    desk,
    sessions,
    place: () => ({ port: servedPort, path, host: null }),
  });
  const origin = `http://127.0.0.1:${servedPort}`;
  const ask = (
    target: string,
    { token, headers = {}, body }: { token?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> =>
    Promise.resolve(
      app.fetch(
        new Request(`${origin}${target.startsWith('//') ? target.slice(1) : `/${path}${target}`}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            host: `127.0.0.1:${servedPort}`,
            ...(token === undefined ? {} : { cookie: `ralph_serve=${token}` }),
            ...(body === undefined
              ? {}
              : {
                  origin,
                  'content-type': 'application/x-www-form-urlencoded',
                  'content-length': String(Buffer.byteLength(body)),
                }),
            ...headers,
          },
          ...(body === undefined ? {} : { body }),
        }),
      ),
    );
  const pageToken = (token: string): string =>
    sha256(
      `${kept.read().secret}:${kept.read().devices.find((device) => device.token === sha256(token))?.id ?? ''}`,
    );
  return { workspace, env, app, desk, kept, ask, pageToken, session: `/s/${pageSession}` };
};
