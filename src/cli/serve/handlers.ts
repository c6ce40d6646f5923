import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Device } from '../../serve/access/device.ts';
import type { Parts, RouteName } from '../../serve/access/routes.ts';
import { fieldsOf } from '../../serve/act/fields.ts';
import { newVapidKeys } from '../../serve/push/push-request.io.ts';
import { subscriptionOf } from '../../serve/push/subscription.ts';
import { saidFragment } from '../../serve/render/fragments.tsx';
import { sessionPage, sessionsPage } from '../../serve/render/pages.tsx';
import { type App, missing, rootOf, type Stream, viewerOf } from './app-parts.ts';
import { sendLatest } from './send-latest.ts';
import type { SessionFeed } from './session-feed.ts';
import { showPlan, showTask } from './shown-pages.ts';

/** Routes that need a device. */
export type DeviceRoute = Exclude<RouteName, 'style' | 'script' | 'pair-page' | 'pair'>;

interface Call {
  readonly app: App;
  readonly c: Context;
  readonly parts: Parts;
  readonly device: Device;
}

/** Milliseconds: a proxy closes a connection on which nothing comes. */
const beatMs = 20_000;

/** How each route is answered. Whether it may be asked is decided before (`admit`). */
export const handlers: Readonly<Record<DeviceRoute, (call: Call) => Promise<Response> | Response>> = {
  sessions: ({ app, c, device }) =>
    c.html(
      sessionsPage(rootOf(app), app.sessions.list(), viewerOf(app, device, null), {
        key: app.kept.vapid(newVapidKeys).publicKey,
        isOn: device.push !== undefined,
      }),
    ),
  push: async ({ app, c, device }) => {
    const fields = fieldsOf(await c.req.text());
    const push = fields?.get('do') === 'stop' ? null : fields && subscriptionOf(fields);
    if (typeof push === 'string' || push === undefined)
      return c.html(saidFragment(push ?? 'This form cannot be read.', false));
    app.kept.receive(device.id, push);
    c.header('hx-trigger', 'sent');
    return c.html(
      saidFragment(push === null ? 'This device gets no notices.' : 'This device gets notices.', true),
    );
  },
  session: (call) =>
    withFeed(call, ({ app, c, device }, feed) => {
      const { actions } = app;
      const asks = device.scope === 'approve' && actions.scopeOf(device, feed.paths) !== 'approve';
      // Whether a screen can be asked now, the page shows; it has a button to ask again.
      if (asks) void actions.askToConfirm(device, feed.paths).catch(() => null);
      return c.html(sessionPage(rootOf(app), feed.paths.session, feed.seen(), viewerOf(app, device, feed)));
    }),
  task: (call) =>
    withFeed(call, async ({ app, c, device, parts }, feed) => {
      const place = { ...app, paths: feed.paths, root: rootOf(app) };
      const page = await showTask(place, feed.seen(), viewerOf(app, device, feed), parts['task'] ?? '');
      return page === null ? missing(app, c) : c.html(page);
    }),
  plan: (call) =>
    withFeed(call, async ({ app, c, device, parts }, feed) => {
      const place = { ...app, paths: feed.paths, root: rootOf(app) };
      const page = await showPlan(place, feed.seen(), viewerOf(app, device, feed), parts['request'] ?? '');
      return page === null ? missing(app, c) : c.html(page);
    }),
  events: (call) => withFeed(call, streamOf),
  act: async ({ app, c, parts, device }) => {
    const paths = app.sessions.paths(parts['session'] ?? '');
    if (paths === null) return missing(app, c);
    const fields = fieldsOf(await c.req.text());
    if (fields === null) return c.html(saidFragment('This form cannot be read.', false));
    const { good, text } = await app.actions.perform(device, paths, fields);
    if (good) c.header('hx-trigger', 'sent');
    return c.html(saidFragment(text, good));
  },
};

const withFeed = (
  call: Call,
  answer: (call: Call, feed: SessionFeed) => Promise<Response> | Response,
): Promise<Response> | Response => {
  const { app, c, parts } = call;
  const feed = app.sessions.feed(parts['session'] ?? '');
  return feed === null ? missing(app, c) : answer(call, feed);
};

/** The changes of a session as they happen, each with the number of the event that it knows. A page that comes back hears the rest. */
const streamOf = ({ app, c, device }: Call, feed: SessionFeed): Response => {
  const { clock } = app.world;
  const known = Number(c.req.header('last-event-id') ?? c.req.query('at') ?? Number.NaN);
  return streamSSE(c, async (stream) => {
    const over = Promise.withResolvers<void>();
    stream.onAbort(over.resolve);
    const tell = sendLatest(async ({ event, html: data, seq }) => {
      await stream.writeSSE({ event, data, ...(seq > 0 ? { id: String(seq) } : {}) });
      if (event === 'gone') over.resolve();
    });
    let cancel = (): void => {};
    const beat = (): void => {
      void stream.write(': still here\n\n');
      cancel = clock.after(beatMs, beat);
    };
    beat();
    const own: Stream = { device, directory: feed.paths.directory, tell };
    app.streams.add(own);
    const unwatch = feed.watch(Number.isNaN(known) ? null : known, tell);
    await over.promise;
    cancel();
    unwatch();
    app.streams.delete(own);
  });
};
