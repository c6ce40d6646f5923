import { join } from 'node:path';
import { createBeadsTracker } from './beads.ts';
import { createGhTracker } from './gh.ts';
import { postJson } from './http.io.ts';
import { createLinearTracker } from './linear.ts';
import { createLinearApi } from './linear-api.ts';
import { markdownFormat } from './markdown.ts';
import { createNativeTracker } from './native.ts';
import { createFileTracker, type IssueFormat } from './one-file.ts';
import { withOverlay } from './overlay.ts';
import { prdFormat } from './prd.ts';
import type { ProgramPorts } from './program.ts';
import type { Tracker } from './tracker.ts';
import type { NamedTracker, TrackerName } from './tracker-name.ts';

type Open = (ports: ProgramPorts, place: string) => Tracker;

const inFile =
  (format: IssueFormat): Open =>
  (ports, file) =>
    withOverlay(createFileTracker(ports, format, join(ports.workspace, file), file), ports);

const linearUrl = 'https://api.linear.app/graphql';

/** How each tracker is opened. */
const openers: Readonly<Record<TrackerName, Open>> = {
  native: (ports) => createNativeTracker(ports),
  prd: inFile(prdFormat),
  markdown: inFile(markdownFormat),
  beads: (ports) => withOverlay(createBeadsTracker(ports), ports),
  gh: (ports) => withOverlay(createGhTracker(ports), ports),
  linear: (ports, team) => {
    const access = { post: postJson, url: linearUrl, key: ports.env['LINEAR_API_KEY'], clock: ports.clock };
    return withOverlay(createLinearTracker(createLinearApi(access), team), ports);
  },
};

/** Opens a tracker of a workspace. Reads nothing yet. */
export const openTracker = (ports: ProgramPorts, { name, place }: NamedTracker): Tracker =>
  openers[name](ports, place);
