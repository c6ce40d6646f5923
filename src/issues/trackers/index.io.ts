import { join } from 'node:path';
import { markdownFormat } from './markdown.ts';
import { createNativeTracker } from './native.ts';
import { createFileTracker, type IssueFormat } from './one-file.ts';
import { withOverlay } from './overlay.ts';
import { prdFormat } from './prd.ts';
import type { Tracker, TrackerPorts } from './tracker.ts';
import type { NamedTracker, TrackerName } from './tracker-name.ts';

type Open = (ports: TrackerPorts, file: string) => Tracker;

const inFile =
  (format: IssueFormat): Open =>
  (ports, file) =>
    withOverlay(createFileTracker(ports, format, join(ports.workspace, file), file), ports);

/** How each tracker is opened. */
const openers: Readonly<Record<TrackerName, Open>> = {
  native: (ports) => createNativeTracker(ports),
  prd: inFile(prdFormat),
  markdown: inFile(markdownFormat),
};

/** Opens a tracker of a workspace. Reads nothing yet. */
export const openTracker = (ports: TrackerPorts, { name, file }: NamedTracker): Tracker =>
  openers[name](ports, file ?? '');
