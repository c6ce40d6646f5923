import { type ProgramAnswer, parsedArguments, type ScriptedProgram } from './scripted-programs.ts';

interface GhIssue {
  readonly number: number;
  title: string;
  body: string;
  state: 'OPEN' | 'CLOSED';
  stateReason: string;
  labels: string[];
  updatedAt: string;
  parent: number | null;
  blockedBy: number[];
  comments: {
    url: string;
    author: string;
    authorAssociation: string;
    body: string;
    includesCreatedEdit: boolean;
  }[];
}

export interface ScriptedGh {
  readonly run: ScriptedProgram;
  readonly issues: GhIssue[];
  /** The next answers, instead of what it would do. */
  readonly failures: ProgramAnswer[];
}

const repository = 'https://github.com/acme/greeter';
const oldFields = [
  'number',
  'title',
  'body',
  'state',
  'stateReason',
  'labels',
  'url',
  'updatedAt',
  'comments',
];

/** `gh` of a version with a repository of its own, in the forms of its manual: fields, flags, exit codes and words of errors. */
export const scriptedGh = (version = '2.96.0'): ScriptedGh => {
  const hasEdges = Number(version.split('.')[1]) >= 94;
  const issues: GhIssue[] = [];
  const labels = new Set(['bug', 'i18n']);
  const failures: ProgramAnswer[] = [];
  let ticks = 0;
  const touch = (issue: GhIssue): void => {
    ticks += 1;
    issue.updatedAt = new Date(1_760_000_000_000 + ticks * 1_000).toISOString();
  };
  const link = (number: number) => {
    const found = issues.find((issue) => issue.number === number);
    return { number, title: found?.title, state: found?.state, url: `${repository}/issues/${number}` };
  };
  const shown = (issue: GhIssue, fields: readonly string[]) =>
    Object.fromEntries(
      fields.map((field) => {
        if (field === 'labels') return [field, issue.labels.map((name) => ({ name, color: 'ededed' }))];
        if (field === 'url') return [field, `${repository}/issues/${issue.number}`];
        if (field === 'parent') return [field, issue.parent === null ? null : link(issue.parent)];
        if (field === 'blockedBy')
          return [field, { nodes: issue.blockedBy.map(link), totalCount: issue.blockedBy.length }];
        if (field === 'comments')
          return [
            field,
            issue.comments.map((each) => ({
              ...each,
              author: { login: each.author },
              createdAt: issue.updatedAt,
            })),
          ];
        return [field, Object.entries(issue).find(([key]) => key === field)?.[1]];
      }),
    );
  const fails = (error: string, code = 1): ProgramAnswer => ({ code, error });

  const verbs: Record<
    string,
    (flags: ReadonlyMap<string, string[]>, plain: readonly string[], input: string) => ProgramAnswer
  > = {
    'issue list': (flags) => {
      const fields = (flags.get('--json')?.[0] ?? '').split(',');
      const all = issues.toReversed().slice(0, Number(flags.get('--limit')?.[0] ?? 30));
      return { out: JSON.stringify(all.map((issue) => shown(issue, fields))) };
    },
    'issue view': (flags, [number]) => {
      const issue = issues.find((each) => String(each.number) === number);
      return issue
        ? { out: JSON.stringify(shown(issue, (flags.get('--json')?.[0] ?? '').split(','))) }
        : fails(
            `GraphQL: Could not resolve to an issue or pull request with the number of ${number}. (repository.issue)`,
          );
    },
    'issue create': (flags, _, input) => {
      const wanted = flags.get('--label') ?? [];
      const missing = wanted.find((name) => !labels.has(name));
      if (missing !== undefined) return fails(`could not add label: '${missing}' not found`);
      const number = issues.length + 1;
      const issue: GhIssue = {
        number,
        title: flags.get('--title')?.[0] ?? '',
        body: input,
        state: 'OPEN',
        stateReason: '',
        labels: wanted,
        updatedAt: '',
        parent: Number(flags.get('--parent')?.[0]) || null,
        blockedBy: (flags.get('--blocked-by')?.[0] ?? '').split(',').filter(Boolean).map(Number),
        comments: [],
      };
      touch(issue);
      issues.push(issue);
      return { out: `${repository}/issues/${number}\n` };
    },
    'issue edit': (flags, [number]) => {
      const issue = issues.find((each) => String(each.number) === number);
      const added = flags.get('--add-label') ?? [];
      const missing = added.find((name) => !labels.has(name));
      if (!issue || missing !== undefined) return fails(`failed to update 1 issue: '${missing}' not found`);
      issue.labels = [
        ...issue.labels.filter((name) => !flags.get('--remove-label')?.includes(name)),
        ...added,
      ];
      issue.title = flags.get('--title')?.[0] ?? issue.title;
      touch(issue);
      return { out: `${repository}/issues/${number}\n` };
    },
    'issue close': (flags, [number]) => {
      const issue = issues.find((each) => String(each.number) === number);
      if (!issue) return fails('GraphQL: Could not resolve to an issue');
      issue.state = 'CLOSED';
      issue.stateReason = flags.get('--reason')?.[0] === 'not planned' ? 'NOT_PLANNED' : 'COMPLETED';
      touch(issue);
      return {};
    },
    'issue reopen': (_, [number]) => {
      const issue = issues.find((each) => String(each.number) === number);
      if (!issue) return fails('GraphQL: Could not resolve to an issue');
      issue.state = 'OPEN';
      touch(issue);
      return {};
    },
    'issue comment': (_, [number], input) => {
      const issue = issues.find((each) => String(each.number) === number);
      if (!issue) return fails('GraphQL: Could not resolve to an issue');
      const url = `${repository}/issues/${number}#issuecomment-${number}${issue.comments.length}`;
      issue.comments.push({
        url,
        author: 'ana',
        authorAssociation: 'MEMBER',
        body: input,
        includesCreatedEdit: false,
      });
      touch(issue);
      return { out: `${url}\n` };
    },
    'label list': () => ({ out: JSON.stringify([...labels].map((name) => ({ name }))) }),
    'label create': (_, [name]) => {
      labels.add(name ?? '');
      return {};
    },
  };
  const known = {
    ...Object.fromEntries(
      [
        '--state',
        '--limit',
        '--json',
        '--title',
        '--body-file',
        '--label',
        '--add-label',
        '--remove-label',
        '--reason',
        '--description',
        '--color',
      ].map((name) => [name, 'value' as const]),
    ),
    ...(hasEdges ? { '--parent': 'value' as const, '--blocked-by': 'value' as const } : {}),
  };
  const run: ScriptedProgram = (args, input) => {
    const failure = failures.shift();
    if (failure) return failure;
    if (args[0] === '--version')
      return { out: `gh version ${version} (2026-06-01)\nhttps://github.com/cli/cli/releases\n` };
    const { unknown, flags, plain } = parsedArguments(args.slice(2), known);
    const verb = verbs[args.slice(0, 2).join(' ')];
    if (unknown !== null || verb === undefined) return fails(`unknown flag: ${unknown ?? args.join(' ')}`);
    const field = (flags.get('--json')?.[0] ?? '')
      .split(',')
      .find(
        (name) =>
          name !== '' &&
          name !== 'name' &&
          ![...oldFields, ...(hasEdges ? ['parent', 'blockedBy'] : [])].includes(name),
      );
    return field === undefined ? verb(flags, plain, input) : fails(`Unknown JSON field: "${field}"`);
  };
  return { run, issues, failures };
};
