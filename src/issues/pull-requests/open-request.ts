import { z } from 'zod';
import { type Checked, type Fault, FaultError } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import type { ToolResult } from '../../base/process/run-tool.ts';
import { gh } from '../trackers/gh.ts';
import {
  askProgram,
  checkedBy,
  jsonFrom,
  type ProgramPorts,
  type TrackerProgram,
} from '../trackers/program.ts';
import { refused } from '../trackers/tracker.ts';
import { idsOf, saidFields } from './member-words.ts';
import { noDrafts, type OpenedRequest, type PullRequests } from './pull-requests.ts';
import { type RequestPlace, remoteSettings, requestPlace } from './remotes.ts';

type Wanted = Parameters<PullRequests['open']>[0];

/** See `open` of the port. */
export const open = async (
  ports: ProgramPorts,
  { branch, title, body, base, draft, isOurs }: Wanted,
): Promise<Checked<OpenedRequest>> => {
  if (!/^ralph\/[A-Za-z0-9][A-Za-z0-9-]*$/.test(branch))
    return refused('not-ours', `${branch} was not created by this program, so it was not pushed`);
  const settings = await askProgram(ports, git, ['config', '-z', '--get-regexp', remoteSettings]);
  const place = requestPlace(settings, base, ports.env['GH_REPO']);
  if (place === null) throw new FaultError(noRemote);
  const pushed = `refs/heads/${branch}:refs/heads/${branch}`;
  await askProgram(ports, pushing(place.remote), ['push', '--quiet', '--', place.remote, pushed]);
  const known = await openRequest(ports, branch, place);
  if (known !== null) {
    const { url } = known;
    const hasOtherText = isOurs?.(known.body) !== true;
    if (!hasOtherText)
      await askProgram(ports, gh, ['pr', 'edit', url, `--title=${title}`, '--body-file', '-'], body);
    if (known.isDraft && draft === undefined) await askProgram(ports, gh, readyArguments(url));
    const said = idsOf(known);
    return {
      ok: true,
      value: { url, ...(hasOtherText ? { hasOtherText } : {}), ...(said.length === 0 ? {} : { said }) },
    };
  }
  if (draft === 'unfinished' && isOurs !== undefined)
    return refused(noDrafts, `the draft of ${branch} is not open any more`);
  const head = place.fork === null ? branch : `${place.fork}:${branch}`;
  const against = base === null ? [] : [`--base=${base}`];
  const create = ['pr', 'create', '--head', head, ...against, `--title=${title}`, '--body-file', '-'];
  const hows = { unchecked: [['--draft'], []], unfinished: [['--draft']], ready: [[]] }[draft ?? 'ready'];
  for (const how of hows)
    try {
      const url = urlIn(await askProgram(ports, creating(place, base), [...create, ...how], body));
      if (url !== null) return { ok: true, value: { url } };
      break;
    } catch (error) {
      const fault = error instanceof FaultError ? error.fault : null;
      if (fault?.code === alreadyOpen && fault.where !== undefined)
        return { ok: true, value: { url: fault.where, hasOtherText: true } };
      if (fault?.code !== noDrafts || draft === 'unfinished') throw error;
    }
  return refused('tracker-answer', 'gh opened a pull request without printing its URL');
};

/**
 * Whether a branch could be pushed and have a pull request against `base`: asks the remotes with the person's own login, and changes nothing there. Gives the
 * remote, or `null` where there is none. Throws a `FaultError`.
 */
export const tryPush = async (ports: ProgramPorts, base: string | null): Promise<string | null> => {
  const settings = await askProgram(ports, git, ['config', '-z', '--get-regexp', remoteSettings]).catch(
    (error: unknown) => {
      if (error instanceof FaultError && error.fault.code === noRemote.code) return '';
      throw error;
    },
  );
  const place = requestPlace(settings, base, ports.env['GH_REPO']);
  if (place === null) return null;
  const pushed = 'HEAD:refs/heads/ralph/rehearsal';
  const push = ['push', '--dry-run', '--no-verify', '--quiet', '--', place.remote, pushed];
  await askProgram(ports, pushing(place.remote), push);
  if (base === null) return place.remote;
  const known = await askProgram(ports, pushing(place.baseRemote), [
    ...['ls-remote', '--heads', '--', place.baseRemote],
    `refs/heads/${base}`,
  ]);
  if (known.trim() === '') throw new FaultError(noBase(place.baseRemote, base));
  return place.remote;
};

/**
 * Whether the branch that pull requests go against has commits on its remote that the checked-out branch does not build on. Asks with the person's own login,
 * and fetches nothing. Throws a `FaultError`.
 */
export const isBehind = async (ports: ProgramPorts, base: string): Promise<boolean> => {
  const settings = await askProgram(ports, git, ['config', '-z', '--get-regexp', remoteSettings]);
  const place = requestPlace(settings, base, ports.env['GH_REPO']);
  if (place === null) return false;
  const ref = `refs/heads/${base}`;
  const remote = ['ls-remote', '--heads', '--', place.baseRemote, ref];
  const [tip = ''] = (await askProgram(ports, pushing(place.baseRemote), remote)).split('\t');
  if (tip === '') return false;
  try {
    // A commit that this clone does not have is no ancestor either.
    await askProgram(ports, git, ['merge-base', '--is-ancestor', tip, 'HEAD']);
    return false;
  } catch {
    return true;
  }
};

/** The arguments of `gh` that end a draft. */
export const readyArguments = (url: string): readonly string[] => ['pr', 'ready', url];

const urlIn = (text: string): string | null => /https:\/\/\S+/.exec(text)?.[0] ?? null;

/** GitHub knows an open pull request of exactly this branch, which the list did not show as ours. */
const alreadyOpen = 'already-open';

/** `gh pr list --head` knows branches by name alone: a stranger may have named one of a fork like ours. */
const openRequestsSchema = z.array(
  z.object({
    url: z.url(),
    isCrossRepository: z.boolean(),
    isDraft: z.boolean().default(false),
    body: z.string().default(''),
    headRepositoryOwner: z.object({ login: z.string() }).nullish(),
    ...saidFields,
  }),
);

/** The open pull request of our branch; `null` when there is none. */
const openRequest = async (
  ports: ProgramPorts,
  branch: string,
  { fork }: RequestPlace,
): Promise<z.infer<typeof openRequestsSchema>[number] | null> => {
  const fields = 'url,isCrossRepository,headRepositoryOwner,isDraft,body,comments,reviews';
  const list = ['pr', 'list', '--head', branch, '--state', 'open', '--limit', '100', '--json', fields];
  const listed = jsonFrom('gh', await askProgram(ports, gh, list), checkedBy(openRequestsSchema));
  const ours = listed.find(({ isCrossRepository, headRepositoryOwner }) =>
    fork === null ? !isCrossRepository : headRepositoryOwner?.login.toLowerCase() === fork.toLowerCase(),
  );
  return ours ?? null;
};

const noRemote = {
  code: 'no-remote',
  what: 'the repository has no remote to push to',
  hint: 'add one with `git remote add origin URL`, then resume',
};

/** No matching setting is an answer: there is no remote. */
const git: TrackerProgram = {
  name: 'git',
  installHint: 'install git',
  inherit: 'git',
  explain: ({ exit, error }: ToolResult) =>
    exit.kind === 'exited' && exit.code === 1 && error === '' ? noRemote : null,
};

const pushing = (remote: string): TrackerProgram => ({
  ...git,
  explain: ({ error }: ToolResult) => {
    if (/Permission denied|Authentication failed|could not read Username/i.test(error))
      return {
        code: 'tracker-login',
        what: `git is not allowed to push to ${remote}`,
        hint: 'log in, or check the remote',
      };
    return /does not appear to be a git repository|No such remote/i.test(error)
      ? {
          code: 'no-remote',
          what: `the remote ${remote} leads to no repository`,
          hint: 'correct its address',
        }
      : null;
  },
});

const noBase = (remote: string, base: string): Fault => ({
  code: 'no-base',
  what: `the pull request goes against ${base}, where this session began, but ${remote} has no such branch`,
  hint: `push it (\`${printedCommand('git', 'push', remote, base)}\`), then resume`,
});

const creating = ({ baseRemote }: RequestPlace, base: string | null): TrackerProgram => ({
  ...gh,
  explain: (result, args) => {
    const open = urlIn(/ already exists:\s*(https:\/\/\S+)/.exec(result.error)?.[1] ?? '');
    if (/Draft pull requests are not supported/i.test(result.error))
      return { code: noDrafts, what: 'the repository has no draft pull requests' };
    if (open !== null) return { code: alreadyOpen, what: 'the branch has an open pull request', where: open };
    return base !== null && /Base ref must be a branch|Base sha can't be blank/.test(result.error)
      ? noBase(baseRemote, base)
      : gh.explain(result, args);
  },
});
