import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import type { FoundSkill } from '../../skills/find-skills.ts';
import type { Cli } from '../cli.ts';
import { isAccepted } from '../trust/own-skills.ts';
import type { World } from '../world.ts';

/** A skill for `skill list --json`. `state`: `ready`, `not accepted` (the repository's, and nobody said yes), `refused` (see `problems`). */
interface SkillRow {
  readonly name: string;
  readonly origin: FoundSkill['origin'];
  /** The folder as people see it. */
  readonly source: string;
  readonly state: 'ready' | 'not accepted' | 'refused';
  /** Converses with a person; the others work alone. */
  readonly interactive: boolean;
  readonly description: string;
  readonly shadows: readonly string[];
  readonly problems: readonly {
    readonly severity: string;
    readonly code: string;
    readonly message: string;
  }[];
}

export const skillRow = (cli: Cli, world: World, workspace: string, found: FoundSkill): SkillRow => ({
  name: found.name,
  origin: found.origin,
  source: found.shown,
  state:
    found.skill === null
      ? 'refused'
      : isAccepted(cli.env, world, workspace, found)
        ? 'ready'
        : 'not accepted',
  interactive: found.skill?.context === 'inline',
  description: found.skill?.description ?? '',
  shadows: found.shadows,
  problems: found.problems.map((problem) => ({
    severity: problem.severity,
    code: problem.code,
    message: formatFault(problem),
  })),
});

/** The cells of a row, safe to print. */
export const skillCells = (row: SkillRow): readonly string[] =>
  [
    row.name,
    row.origin === 'ours' ? 'ralph-tui' : row.source.replace(/\/[^/]*$/, ''),
    row.state === 'ready' ? (row.interactive ? 'talks with you' : 'works alone') : row.state,
    row.description,
  ].map(safe);

/** What a person should know about the list: which skill takes precedence, and why a folder is refused. One sentence each. */
export const skillNotices = (rows: readonly SkillRow[]): readonly string[] => [
  ...rows.flatMap(({ name, source, shadows }) =>
    shadows.length === 0
      ? []
      : [`${name}: ${source} is used instead of ${shadows.map(shownShadow).join(' and ')}`],
  ),
  ...rows.flatMap(({ source, state, problems }) =>
    state === 'refused'
      ? problems
          .filter(({ severity }) => severity === 'error')
          .slice(0, 1)
          .map(({ message }) => `${source} is not used: ${message}`)
      : [],
  ),
];

const shownShadow = (source: string): string =>
  source === 'ours' ? 'the one that ships with ralph-tui' : source;
