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
import { open, readyArguments } from './open-request.ts';
import type { PullRequestLook, PullRequests } from './pull-requests.ts';

/** Pull requests on GitHub through `gh`, and `git push` with the person's own login. */
export const createGhPullRequests = (ports: ProgramPorts): PullRequests => {
  const ask = (args: readonly string[], input?: string): Promise<string> =>
    askProgram(ports, gh, args, input);
  return {
    open: (wanted) => guarded(() => open(ports, wanted)),
    look: (url) => guarded(async () => ({ ok: true, value: await look(ask, url, ports.clock.now()) })),
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

const member = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

const pullRequestSchema = z.object({
  number: z.number(),
  state: z.enum(['OPEN', 'MERGED', 'CLOSED']),
  headRefOid: z.string().regex(/^[0-9a-f]{40,64}$/),
  updatedAt: z.string(),
  isDraft: z.boolean().default(false),
  reviews: z
    .array(
      z.object({
        author: z.object({ login: z.string() }).nullish(),
        authorAssociation: z.string().default(''),
        state: z.string(),
        body: z.string().default(''),
        commit: z.object({ oid: z.string() }).nullish(),
      }),
    )
    .default([]),
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

const look = async (ask: Ask, url: string, now: number): Promise<PullRequestLook> => {
  const args = [
    'pr',
    'view',
    url,
    '--json',
    'number,state,isDraft,headRefOid,updatedAt,reviews,statusCheckRollup',
  ];
  const found = jsonFrom('gh', await ask(args), checkedBy(pullRequestSchema));
  const requested = changeRequests(found);
  // What was asked for of an earlier commit was sent back with that one: it stands until its author looks again.
  const wishes = requested.filter(({ commit }) => commit === undefined || commit === found.headRefOid);
  const checks = found.statusCheckRollup ?? [];
  const failed = checks.filter(isFailed);
  const parts = [
    ...(await Promise.all(failed.map((check) => failureOf(ask, check)))),
    ...wishes.map(({ words }) => words),
    ...(wishes.length === 0 ? [] : await inlineComments(ask, url, found.number)),
  ];
  const isBad = failed.length > 0 || wishes.length > 0;
  const isFresh = checks.length === 0 && !(now - Date.parse(found.updatedAt) > checksAppearWithinMs);
  const isPending = isFresh || checks.some(isRunning) || requested.length > 0;
  return {
    state: states[found.state],
    head: found.headRefOid,
    checks: isBad ? 'failed' : isPending ? 'pending' : checks.length === 0 ? 'none' : 'passed',
    feedback: parts.join('\n\n'),
    isDraft: found.isDraft,
  };
};

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

/** The newest word of each member counts. `commit`: what was reviewed, as far as GitHub says it. */
const changeRequests = ({
  reviews,
}: GhPullRequest): readonly { readonly words: string; readonly commit: string | undefined }[] => {
  const last = new Map(
    reviews
      .filter(({ authorAssociation, state }) => member.has(authorAssociation) && state !== 'COMMENTED')
      .map((review) => [review.author?.login ?? '', review]),
  );
  return [...last.values()].flatMap(({ state, body, author, commit }) =>
    state === 'CHANGES_REQUESTED'
      ? [{ words: `${author?.login ?? 'a member'} requested changes: ${body}`, commit: commit?.oid }]
      : [],
  );
};

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

const commentSchema = z.array(
  z.object({
    path: z.string(),
    line: z.number().nullish(),
    body: z.string(),
    author_association: z.string(),
  }),
);

const inlineComments = async (ask: Ask, url: string, number: number): Promise<readonly string[]> => {
  const [, owner, name] = /github[^/]*\/([^/]+)\/([^/]+)\/pull\//.exec(url) ?? [];
  if (owner === undefined || name === undefined) return [];
  const text = await ask(['api', `repos/${owner}/${name}/pulls/${number}/comments`]);
  return jsonFrom('gh', text, checkedBy(commentSchema)).flatMap(({ path, line, body, author_association }) =>
    member.has(author_association) ? [`${path}${line ? `:${line}` : ''}: ${body}`] : [],
  );
};
