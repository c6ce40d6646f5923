import { z } from 'zod';
import { gh } from '../trackers/gh.ts';
import { guarded } from '../trackers/guarded.ts';
import {
  askProgram,
  checkedBy,
  jsonFrom,
  type ProgramPorts,
  type TrackerProgram,
} from '../trackers/program.ts';
import {
  changeRequests,
  isOfReview,
  lineCommentsSchema,
  openComments,
  saidFields,
  wordsOfComment,
  wordsOfLine,
} from './member-words.ts';
import { open, readyArguments } from './open-request.ts';
import type { PullRequestLook, PullRequests } from './pull-requests.ts';

/** Pull requests on GitHub through `gh`, and `git push` with the person's own login. */
export const createGhPullRequests = (ports: ProgramPorts): PullRequests => {
  const ask = (args: readonly string[], input?: string): Promise<string> =>
    askProgram(ports, gh, args, input);
  return {
    open: (wanted) => guarded(() => open(ports, wanted)),
    look: (url, answered) =>
      guarded(async () => ({ ok: true, value: await look(ask, url, ports.clock.now(), answered) })),
    merge: (url, head, draft = false) =>
      guarded(async () => {
        if (draft) await ask(readyArguments(url));
        await askProgram(ports, merging, ['pr', 'merge', url, '--merge', '--match-head-commit', head]);
        return { ok: true, value: null };
      }),
  };
};

/** What GitHub refuses to merge, it refuses until a person does something about it. */
const merging: TrackerProgram = {
  ...gh,
  explain: (result, args) => {
    const reason =
      /is not mergeable: (.*?)\.?$/m.exec(result.error)?.[1] ??
      (/Head branch was modified/.test(result.error) ? 'its branch was changed after the checks' : null);
    return reason === null
      ? gh.explain(result, args)
      : { code: 'not-mergeable', what: `GitHub refuses to merge the pull request: ${reason}` };
  },
};

const pullRequestSchema = z.object({
  number: z.number(),
  state: z.enum(['OPEN', 'MERGED', 'CLOSED']),
  headRefOid: z.string().regex(/^[0-9a-f]{40,64}$/),
  updatedAt: z.string(),
  isDraft: z.boolean().default(false),
  ...saidFields,
  statusCheckRollup: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        context: z.string().optional(),
        conclusion: z.string().nullish(),
        state: z.string().optional(),
        detailsUrl: z.string().nullish(),
      }),
    )
    .nullish(),
});
type GhPullRequest = z.infer<typeof pullRequestSchema>;

type Ask = (args: readonly string[]) => Promise<string>;

const fields = 'number,state,isDraft,headRefOid,updatedAt,reviews,statusCheckRollup';

const look = async (
  ask: Ask,
  url: string,
  now: number,
  answered: ReadonlySet<string> | undefined,
): Promise<PullRequestLook> => {
  const args = ['pr', 'view', url, '--json', answered === undefined ? fields : `${fields},comments`];
  const found = jsonFrom('gh', await ask(args), checkedBy(pullRequestSchema));
  const requested = changeRequests(found);
  // What was asked for of an earlier commit was sent back with that one: it stands until its author looks again.
  const wishes = requested.filter(({ commit }) => !commit || commit.oid === found.headRefOid);
  const open = answered === undefined ? noComments : openComments(found, answered);
  const reviews = [...wishes, ...open.reviews];
  const lines = reviews.length === 0 ? [] : await lineComments(ask, url, found.number);
  const asked = lines.filter((line) => isOfReview(line, wishes));
  const said = lines.filter(
    (line) => !asked.includes(line) && isOfReview(line, open.reviews) && !answered?.has(String(line.id)),
  );
  const checks = found.statusCheckRollup ?? [];
  const failed = checks.filter(isFailed);
  const parts = [
    ...(await Promise.all(failed.map((check) => failureOf(ask, check)))),
    ...wishes.map(({ author, body }) => `${author?.login ?? 'a member'} requested changes: ${body}`),
    ...asked.map(wordsOfLine),
  ];
  const words = [...open.comments.flatMap(wordsOfComment), ...said.map(wordsOfLine)];
  const isBad = failed.length > 0 || wishes.length > 0;
  const isFresh = checks.length === 0 && !(now - Date.parse(found.updatedAt) > checksAppearWithinMs);
  const isPending = isFresh || checks.some(isRunning) || requested.length > 0;
  return {
    state: states[found.state],
    head: found.headRefOid,
    checks: isBad ? 'failed' : isPending ? 'pending' : checks.length === 0 ? 'none' : 'passed',
    feedback: parts.join('\n\n'),
    isDraft: found.isDraft,
    ...(words.length === 0
      ? {}
      : {
          comments: {
            ids: [...open.comments, ...asked, ...said].flatMap(({ id }) =>
              id === undefined ? [] : [`${id}`],
            ),
            words: words.join('\n\n'),
          },
        }),
  };
};

const noComments = { comments: [], reviews: [] };

const states = { OPEN: 'open', MERGED: 'merged', CLOSED: 'closed' } as const;

type Check = NonNullable<GhPullRequest['statusCheckRollup']>[number];

/** GitHub lists a check only some seconds after a push. */
const checksAppearWithinMs = 5 * 60_000;

const good = new Set(['SUCCESS', 'NEUTRAL', 'SKIPPED']);

/** A check run has a conclusion, a commit status has a state. Neither means that it has not begun. */
const isRunning = ({ conclusion, state }: Check): boolean =>
  !conclusion && (!state || state === 'PENDING' || state === 'EXPECTED');

/** A result that is not known to be good counts as bad. */
const isFailed = (check: Check): boolean =>
  !isRunning(check) && !good.has(check.conclusion || check.state || '');

/** Characters of one failing log: its end. */
const longestLog = 6_000;

const failureOf = async (ask: Ask, { name, context, detailsUrl }: Check): Promise<string> => {
  const title = `The check ${name ?? context ?? ''} failed.`;
  const run = /\/actions\/runs\/(\d+)/.exec(detailsUrl ?? '')?.[1];
  if (run === undefined) return title;
  try {
    return `${title}\n${(await ask(['run', 'view', run, '--log-failed'])).slice(-longestLog)}`;
  } catch {
    // The log may be gone: the name of the check is known all the same.
    return title;
  }
};

/** The newest comments on lines, oldest first. */
const lineComments = async (
  ask: Ask,
  url: string,
  number: number,
): Promise<z.infer<typeof lineCommentsSchema>> => {
  const [, owner, name] = /github[^/]*\/([^/]+)\/([^/]+)\/pull\//.exec(url) ?? [];
  if (owner === undefined || name === undefined) return [];
  const newest = 'per_page=100&sort=created&direction=desc';
  const text = await ask(['api', `repos/${owner}/${name}/pulls/${number}/comments?${newest}`]);
  return jsonFrom('gh', text, checkedBy(lineCommentsSchema)).reverse();
};
