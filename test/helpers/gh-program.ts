import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type ScriptedGh, scriptedGh } from './scripted-gh.ts';
import { type ProgramAnswer, parsedArguments } from './scripted-programs.ts';
import { tempDir } from './temp-dir.ts';

export interface ScriptedPullRequest {
  readonly number: number;
  readonly url: string;
  readonly branch: string;
  /** `undefined`: the default branch. */
  readonly base: string | undefined;
  title: string;
  body: string;
  state: 'OPEN' | 'MERGED' | 'CLOSED';
  isDraft: boolean;
  /** What was said in its conversation, as `gh pr view --json comments` gives it. */
  readonly comments: object[];
}

/** An ordinary comment on a pull request. */
export const saySomething = (
  { url, comments }: ScriptedPullRequest,
  login: string,
  role: string,
  body: string,
): void => {
  comments.push({
    id: `IC_${comments.length}`,
    url: `${url}#issuecomment-${comments.length + 1}`,
    author: { login },
    authorAssociation: role,
    body,
    createdAt: new Date().toISOString(),
    includesCreatedEdit: false,
    isMinimized: false,
    minimizedReason: '',
    reactionGroups: [],
    viewerDidAuthor: false,
  });
};

export interface GhProgram {
  /** A folder for the PATH that holds `gh`. */
  readonly bin: string;
  readonly gh: ScriptedGh;
  readonly pullRequests: readonly ScriptedPullRequest[];
}

const addressSchema = z.object({ port: z.number() });
const error = (text: string): ProgramAnswer => ({ code: 1, error: text });

/**
 * What `gh` prints is answered by the test, so that all that it knows is in one place. A shell takes a twentieth of the processor time of a Node for
 * it. Each of the arguments and the input ends with a NUL; the answer is the exit code, a NUL, what goes to stderr, a NUL, and what goes to stdout.
 */
const program = (port: number): string => `#!/usr/bin/env bash
input=
for arg; do if [ "$arg" = - ]; then input=$(cat; printf x); fi; done
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\\0' "$#" "$@" "\${input%x}" >&3
IFS= read -r -d '' code <&3
IFS= read -r -d '' error <&3
cat <&3
printf '%s' "$error" >&2
exit "$code"
`;

/** The arguments and the input of a call, once all of it is there. */
const callIn = (text: string): { readonly args: readonly string[]; readonly input: string } | null => {
  const [count, ...parts] = text.split('\0').slice(0, -1);
  const call = parts.length === Number(count) + 1;
  return call ? { args: parts.slice(0, -1), input: parts.at(-1) ?? '' } : null;
};

/**
 * A program `gh` over the issues of `scriptedGh`, with pull requests between branches of a bare repository, in the forms of its manual. A merge is one of git's.
 * `check`: the result of the one check of a commit; the log of a failed one is `log`.
 */
export const startGhProgram = async (
  origin: string,
  check: (pull: ScriptedPullRequest, head: string) => 'SUCCESS' | 'FAILURE' | null,
  log: string,
): Promise<GhProgram> => {
  const gh = scriptedGh();
  const pullRequests: ScriptedPullRequest[] = [];
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', origin, '-c', 'user.name=gh', '-c', 'user.email=gh@localhost', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const headOf = ({ branch }: ScriptedPullRequest): string => git('rev-parse', `refs/heads/${branch}`);

  const merge = (pull: ScriptedPullRequest, wanted: string | undefined): ProgramAnswer => {
    if (headOf(pull) !== wanted)
      return error('GraphQL: Head branch was modified. Review and try the merge again. (mergePullRequest)');
    let tree: string;
    try {
      tree = git('merge-tree', '--write-tree', 'refs/heads/main', wanted).split('\n')[0] ?? '';
    } catch {
      return error(
        `X Pull request acme/greeter#${pull.number} is not mergeable: the merge commit cannot be cleanly created.\n`,
      );
    }
    const message = `Merge pull request #${pull.number} from acme/${pull.branch}`;
    const commit = git('commit-tree', tree, '-p', 'refs/heads/main', '-p', wanted, '-m', message);
    git('update-ref', 'refs/heads/main', commit);
    pull.state = 'MERGED';
    for (const [, number] of pull.body.matchAll(/^Closes #(\d+)$/gm))
      if (gh.issues.some((issue) => String(issue.number) === number && issue.state === 'OPEN'))
        gh.run(['issue', 'close', number ?? '', '--reason', 'completed'], '');
    return {};
  };

  const shown = (pull: ScriptedPullRequest): object => {
    const head = headOf(pull);
    const conclusion = check(pull, head);
    return {
      number: pull.number,
      state: pull.state,
      isDraft: pull.isDraft,
      headRefOid: head,
      updatedAt: new Date().toISOString(),
      reviews: [],
      comments: pull.comments,
      statusCheckRollup: [
        {
          name: 'lint',
          status: conclusion === null ? 'IN_PROGRESS' : 'COMPLETED',
          conclusion: conclusion ?? '',
          detailsUrl: `https://github.com/acme/greeter/actions/runs/${pull.number}`,
        },
      ],
    };
  };

  const answer = (args: readonly string[], input: string): ProgramAnswer => {
    const verb = args.slice(0, 2).join(' ');
    if (verb === 'run view') return { out: log };
    if (args[0] !== 'pr') return gh.run(args, input);
    const known = [
      '--head',
      '--base',
      '--state',
      '--limit',
      '--json',
      '--title',
      '--body-file',
      '--match-head-commit',
    ];
    const { unknown, flags, plain } = parsedArguments(args.slice(2), {
      ...Object.fromEntries(known.map((name) => [name, 'value' as const])),
      '--merge': 'flag',
      '--draft': 'flag',
    });
    if (unknown !== null) return error(`unknown flag: ${unknown}`);
    const branch = flags.get('--head')?.[0] ?? '';
    const pull = pullRequests.find(({ url }) => url === plain[0]);
    if (verb === 'pr list') {
      const open = pullRequests.filter((each) => each.branch === branch && each.state === 'OPEN');
      return {
        out: JSON.stringify(
          open.map(({ url, isDraft, body }) => ({ url, isCrossRepository: false, isDraft, body })),
        ),
      };
    }
    if (verb === 'pr create') {
      const number = 101 + pullRequests.length;
      const url = `https://github.com/acme/greeter/pull/${number}`;
      const title = flags.get('--title')?.[0] ?? '';
      const base = flags.get('--base')?.[0];
      const isDraft = flags.has('--draft');
      pullRequests.push({
        number,
        url,
        branch,
        base,
        title,
        body: input,
        state: 'OPEN',
        isDraft,
        comments: [],
      });
      return { out: `${url}\n` };
    }
    if (pull === undefined) return error('GraphQL: Could not resolve to a PullRequest');
    if (verb === 'pr ready') pull.isDraft = false;
    if (verb === 'pr edit')
      Object.assign(pull, { title: flags.get('--title')?.[0] ?? pull.title, body: input });
    if (verb === 'pr ready' || verb === 'pr edit') return {};
    if (verb === 'pr merge' && pull.isDraft)
      return error('GraphQL: Pull Request is still a draft (mergePullRequest)');
    if (verb === 'pr view') return { out: JSON.stringify(shown(pull)) };
    return verb === 'pr merge'
      ? merge(pull, flags.get('--match-head-commit')?.[0])
      : error(`unknown command "${verb}"`);
  };

  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
      const call = callIn(text);
      if (call === null) return;
      const { code = 0, out = '', error: complaint = '' } = answer(call.args, call.input);
      socket.end(`${code}\0${complaint}\0${out}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const bin = tempDir();
  const file = join(bin, 'gh');
  writeFileSync(file, program(addressSchema.parse(server.address()).port));
  chmodSync(file, 0o755);
  return { bin, gh, pullRequests };
};
