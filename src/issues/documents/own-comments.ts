import { z } from 'zod';
import { sha256 } from '../../base/hash.io.ts';
import type { IssueComment } from '../issue.ts';
import { appendLine, readLines } from '../trackers/append-lines.ts';
import type { TrackerPorts } from '../trackers/tracker.ts';
import type { OwnComments } from './counting-comments.ts';

const recordSchema = z.object({
  workspace: z.string(),
  tracker: z.string(),
  id: z.string(),
  hash: z.string(),
});

/**
 * The comments that this program posted for a workspace and a tracker. `path` is in the state directory, outside of every workspace: an agent can
 * write the tracker's files, but not this one.
 */
export const readOwnComments = (
  ports: Pick<TrackerPorts, 'disk' | 'workspace'>,
  path: string,
  tracker: string,
): OwnComments =>
  new Map(
    readLines(ports, path, recordSchema)
      .records.filter((record) => record.workspace === ports.workspace && record.tracker === tracker)
      .map(({ id, hash }) => [id, hash]),
  );

/** Remembers a comment as ours. */
export const rememberComment = (
  ports: Pick<TrackerPorts, 'disk' | 'workspace'>,
  path: string,
  tracker: string,
  { id, body }: Pick<IssueComment, 'id' | 'body'>,
): void => appendLine(ports, path, { workspace: ports.workspace, tracker, id, hash: sha256(body) });
