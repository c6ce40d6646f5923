import { z } from 'zod';

/** A kind of work that agents start unasked and that a person may not want (src/discovery/README.md, Records). */
const busyworkSchema = z.object({
  _type: z.literal('busywork'),
  id: z.string().regex(/^busywork-[a-z]+$/),
  name: z.string(),
  description: z.string(),
});
type Busywork = Readonly<z.infer<typeof busyworkSchema>>;

const line = (id: string, name: string, description: string): Busywork => ({
  _type: 'busywork',
  id: `busywork-${id}`,
  name,
  description,
});

/** The last ten lines of every record file, in the wizard's order. */
export const busywork: readonly Busywork[] = [
  line('lint', 'Linting and style', 'Reformatting, renaming, import order, unrequested lint fixes'),
  line('docs', 'Documentation updates', 'README, comments and docstrings of code that does not change'),
  line('types', 'Type annotations', 'Adding or tightening types where nothing is wrong'),
  line('todo', 'TODO comments', 'Working through TODO and FIXME comments'),
  line('security', 'Security hardening', 'Scans, audits and hardening beyond the task'),
  line('tests', 'Test coverage expansion', 'Tests for code that the task does not touch'),
  line('git', 'Git housekeeping', 'Branches, tags, history, .gitignore, commit hooks'),
  line('refactor', 'Refactoring', 'Moving, splitting or generalising code that works'),
  line('deps', 'Dependency upgrades', 'New versions, replacements and lock file refreshes'),
  line('cicd', 'CI and release pipelines', 'Workflows, containers and release scripts'),
];
