import type { Context } from 'hono';
import { sha256 } from '../../base/hash.io.ts';
import type { Admitted, Place } from '../../serve/access/admit.ts';
import type { Device } from '../../serve/access/device.ts';
import type { Viewer } from '../../serve/render/layout.tsx';
import { refusalPage } from '../../serve/render/pages.tsx';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import type { Desk } from './desk.ts';
import type { KeptFiles } from './kept-files.ts';
import type { Actions } from './perform-action.ts';
import type { Sent, SessionFeed } from './session-feed.ts';
import type { Sessions } from './sessions.ts';

/** What the answers to browsers are made with. */
export interface AppPorts {
  readonly env: Cli['env'];
  readonly world: World;
  readonly kept: KeptFiles;
  readonly desk: Desk;
  readonly sessions: Sessions;
  readonly place: () => Place;
}

/** A page that hears of changes. */
export interface Stream {
  readonly device: Device;
  readonly directory: string;
  readonly tell: (sent: Sent) => void;
}

export interface App extends AppPorts {
  readonly actions: Actions;
  readonly streams: Set<Stream>;
}

/** A request that is answered. */
export type Admission = Extract<Admitted, { kind: 'in' }>;

export const rootOf = ({ place }: Pick<App, 'place'>): string => `/${place().path}`;

/** The address of a session. */
export const baseOf = (app: Pick<App, 'place'>, session: string): string =>
  `${rootOf(app)}/s/${encodeURIComponent(session)}`;

/** The token that goes with each change which a page of this device asks for. */
export const pageTokenOf = ({ kept }: Pick<App, 'kept'>, device: Device): string =>
  sha256(`${kept.read().secret}:${device.id}`);

/** What the page is shown to; `feed: null` outside of a session. */
export const viewerOf = (app: App, device: Device, feed: SessionFeed | null): Viewer => ({
  name: device.name,
  scope: feed === null ? 'watch' : app.actions.scopeOf(device, feed.paths),
  pageToken: pageTokenOf(app, device),
});

export const missing = (app: App, c: Context): Response =>
  c.html(refusalPage(rootOf(app), 'There is nothing here.'), 404);
