import { type ProgramAnswer, parsedArguments, type ScriptedProgram } from './scripted-programs.ts';

interface Bead {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  status: string;
  priority: number;
  issue_type: string;
  assignee?: string;
  labels: string[];
  updated_at: string;
  readonly dependencies: { issue_id: string; depends_on_id: string; type: string }[];
}

export interface ScriptedBd {
  readonly run: ScriptedProgram;
  readonly beads: Bead[];
  readonly failures: ProgramAnswer[];
  /** Who `--claim` claims for. */
  actor: string;
}

const flags = {
  ...Object.fromEntries(
    [
      '--limit',
      '--title',
      '--body-file',
      '--label',
      '--parent',
      '--add-label',
      '--remove-label',
      '--status',
      '--assignee',
      '--reason',
    ].map((name) => [name, 'value' as const]),
  ),
  '--json': 'flag' as const,
  '--all': 'flag' as const,
  '--claim': 'flag' as const,
  '--': 'flag' as const,
};

/** `bd` 1.x with a workspace of its own, in the forms of its reference: JSON on stdout, errors as text, ids such as `bd-a1`. */
export const scriptedBd = (): ScriptedBd => {
  const beads: Bead[] = [];
  const comments = new Map<
    string,
    { id: string; issue_id: string; author: string; text: string; created_at: string }[]
  >();
  const failures: ProgramAnswer[] = [];
  let ticks = 0;
  const now = (): string => {
    ticks += 1;
    return new Date(1_760_000_000_000 + ticks * 1_000).toISOString();
  };
  const fails = (error: string): ProgramAnswer => ({ code: 1, error });
  const out = (value: unknown): ProgramAnswer => ({ out: JSON.stringify(value) });
  const scripted: ScriptedBd = {
    beads,
    failures,
    actor: 'ana',
    run: (args, input) => {
      const failure = failures.shift();
      if (failure) return failure;
      const { unknown, flags: given, plain } = parsedArguments(args, flags);
      if (unknown !== null) return fails(`Error: unknown flag: ${unknown}`);
      const [verb, first = '', second = ''] = plain;
      const value = (name: string): string | undefined => given.get(name)?.[0];
      const bead = beads.find(
        ({ id }) =>
          id === (verb === 'comments' && first === 'add' ? second : verb === 'dep' ? second : first),
      );
      if (verb === 'list') return out(beads);
      if (verb === 'create') {
        const id =
          value('--parent') === undefined
            ? `bd-a${beads.length + 1}`
            : `${value('--parent')}.${beads.length}`;
        const made: Bead = {
          id,
          title: value('--title') ?? '',
          description: input,
          status: 'open',
          priority: 2,
          issue_type: 'task',
          labels: given.get('--label') ?? [],
          updated_at: now(),
          dependencies:
            value('--parent') === undefined
              ? []
              : [{ issue_id: id, depends_on_id: value('--parent') ?? '', type: 'parent-child' }],
        };
        beads.push(made);
        return out(made);
      }
      if (!bead) return fails(`Issue ${first} not found`);
      if (verb === 'show') {
        const dependencies = bead.dependencies.flatMap(({ depends_on_id, type }) => {
          const other = beads.find(({ id }) => id === depends_on_id);
          return other ? [{ ...other, dependencies: undefined, dependency_type: type }] : [];
        });
        return out([{ ...bead, dependencies }]);
      }
      if (verb === 'comments' && first !== 'add') return out(comments.get(bead.id) ?? []);
      bead.updated_at = now();
      if (verb === 'comments') {
        const made = {
          id: `c${ticks}`,
          issue_id: bead.id,
          author: scripted.actor,
          text: plain.slice(3).join(' '),
          created_at: bead.updated_at,
        };
        comments.set(bead.id, [...(comments.get(bead.id) ?? []), made]);
        return out(made);
      }
      if (verb === 'dep')
        bead.dependencies.push({ issue_id: bead.id, depends_on_id: plain[3] ?? '', type: 'blocks' });
      if (verb === 'close') bead.status = 'closed';
      if (verb === 'reopen') bead.status = 'open';
      if (verb === 'update') {
        if (given.has('--claim')) {
          if (bead.assignee && bead.assignee !== scripted.actor)
            return fails(`Error claiming ${bead.id}: already claimed by ${bead.assignee}`);
          bead.assignee = scripted.actor;
          bead.status = 'in_progress';
        }
        bead.status = value('--status') ?? bead.status;
        if (value('--assignee') === '') delete bead.assignee;
        bead.labels = [
          ...bead.labels.filter((label) => !given.get('--remove-label')?.includes(label)),
          ...(given.get('--add-label') ?? []),
        ];
      }
      return out([bead]);
    },
  };
  return scripted;
};
