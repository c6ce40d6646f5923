import { timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { sha256 } from '../../base/hash.io.ts';
import { type Admitted, admit } from '../../serve/access/admit.ts';
import { type Credential, credentialOf } from '../../serve/access/device.ts';
import { type Buckets, isWithin } from '../../serve/access/rates.ts';
import { scopeSchema } from '../../serve/access/scope.ts';
import { fieldsOf } from '../../serve/act/fields.ts';
import { readWeb } from '../../serve/read-web.io.ts';
import { goneFragment, saidFragment, scopeFragment } from '../../serve/render/fragments.tsx';
import { headers } from '../../serve/render/layout.tsx';
import { liveStyle } from '../../serve/render/live-style.ts';
import { pairPage, refusalPage } from '../../serve/render/pages.tsx';
import {
  type Admission,
  type App,
  type AppPorts,
  baseOf,
  missing,
  pageTokenOf,
  rootOf,
  type Stream,
} from './app-parts.ts';
import { handlers } from './handlers.ts';
import { createActions } from './perform-action.ts';

/** Everything that browsers can ask, and who is connected. */
export interface ServedApp {
  readonly fetch: Hono['fetch'];
  /** Ends the streams of devices that are not among the paired ones any more. */
  readonly dropRevoked: () => void;
  /** Names of devices that look at a page now. */
  readonly connected: () => readonly string[];
}

const cookieName = 'ralph_serve';
const cookieDays = 90;

export const createApp = (ports: AppPorts): ServedApp => {
  const { env, world, kept } = ports;
  const streams = new Set<Stream>();
  const buckets: Buckets = new Map();
  const actions = createActions({
    env,
    world,
    feedOf: ({ session }) => ports.sessions.feed(session),
    confirmed: ({ id, name }, { session, directory }) => {
      const html = scopeFragment(baseOf(ports, session), { name, scope: 'approve' });
      for (const { device, directory: shown, tell } of streams)
        if (device.id === id && shown === directory) tell({ event: 'scope', html, seq: 0 });
    },
  });
  const app: App = { ...ports, actions, streams };
  const hono = new Hono();
  hono.all('*', async (c) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const admitted = admissionOf(app, c);
    if (admitted.kind === 'refused') return refuse(app, c, admitted);
    const { device } = admitted;
    const rate = c.req.method === 'POST' ? (device === null ? 'pair' : 'change') : 'read';
    if (!isWithin(buckets, device?.id ?? '', rate, world.clock.monotonic()))
      return c.text('Too many requests: wait a moment.\n', 429);
    return answer(app, c, admitted);
  });
  return {
    fetch: hono.fetch,
    connected: () => [...new Set([...streams].map(({ device }) => device.name))],
    dropRevoked: () => {
      const known = new Set(kept.read().devices.map(({ token }) => token));
      for (const { device, tell } of [...streams])
        if (!known.has(device.token)) tell({ event: 'gone', html: goneFragment(), seq: 0 });
    },
  };
};

const admissionOf = (app: App, c: Context): Admitted => {
  const credential = credentialIn(app, c);
  const pageToken = c.req.header('x-ralph-page');
  const device = credential.kind === 'device' ? credential.device : null;
  return admit(
    {
      method: c.req.method,
      path: new URL(c.req.url).pathname,
      host: c.req.header('host'),
      origin: c.req.header('origin'),
      site: c.req.header('sec-fetch-site'),
      contentType: c.req.header('content-type'),
      length: c.req.header('content-length'),
      credential,
      hasPageToken: device !== null && pageToken !== undefined && isSame(pageToken, pageTokenOf(app, device)),
    },
    app.place(),
  );
};

const credentialIn = ({ kept, world }: App, c: Context): Credential => {
  const token = getCookie(c, cookieName);
  return credentialOf(kept.read().devices, token === undefined ? null : sha256(token), world.clock.now());
};

const refuse = (app: App, c: Context, { status, why }: Extract<Admitted, { kind: 'refused' }>): Response =>
  c.req.method === 'GET' && status === 401
    ? c.html(refusalPage(rootOf(app), why), status)
    : c.text(`${why}\n`, status);

const answer = async (app: App, c: Context, { route, parts, device }: Admission): Promise<Response> => {
  switch (route) {
    case 'style':
      return c.body(liveStyle, 200, { 'content-type': 'text/css; charset=utf-8' });
    case 'script': {
      const file = readWeb(parts['script'] ?? '');
      return file === null ? missing(app, c) : c.body(file.text, 200, { 'content-type': file.type });
    }
    case 'pair-page':
      return c.html(pairPage(rootOf(app), null));
    case 'pair':
      return pair(app, c);
    default:
      return device === null ? missing(app, c) : handlers[route]({ app, c, parts, device });
  }
};

const pair = async (app: App, c: Context): Promise<Response> => {
  const fields = fieldsOf(await c.req.text());
  const scope = scopeSchema.safeParse(fields?.get('scope')).data;
  if (fields === null || scope === undefined) return c.html(saidFragment('This form cannot be read.', false));
  const paired = app.desk.pair(fields.get('code') ?? '', fields.get('name') ?? '', scope);
  if (typeof paired === 'string') return c.html(saidFragment(`${paired}.`, false));
  setCookie(c, cookieName, paired.token, {
    path: rootOf(app),
    httpOnly: true,
    sameSite: 'Strict',
    secure: c.req.header('x-forwarded-proto') === 'https',
    maxAge: cookieDays * 86_400,
  });
  c.header('hx-redirect', `${rootOf(app)}/`);
  return c.html(saidFragment('Paired.', true));
};

/** Without telling by the time it takes how much fits. */
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
