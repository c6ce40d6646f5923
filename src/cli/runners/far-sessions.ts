import { z } from 'zod';
import { boundedJson } from '../../agents/bounded-json.ts';
import { FaultError } from '../../base/fault.ts';
import { sessionIdPattern } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { callThere, type Machine } from './machine.ts';

const text = z.string().max(4_000);

/** A line of `sessions --all --json`. What another machine says is checked as what an agent says. */
const rowSchema = z.object({
  session_id: z.string().regex(sessionIdPattern),
  workspace: z.string().startsWith('/').max(4_096),
  status: text,
  state: text,
  progress: text,
  age_s: z.number().nonnegative(),
  stop_reason: text.nullable(),
  layout: text,
  goal: z.string().max(100_000).nullable(),
  host: z.object({ pid: z.number(), alive: z.boolean(), elsewhere: text.optional() }).nullable(),
});
export type FarSession = z.infer<typeof rowSchema> & { readonly runner: string };

/** The sessions of a machine, of every workspace that was seen there. Throws a `FaultError` that names the machine. */
export const farSessions = async (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  machine: Machine,
): Promise<readonly FarSession[]> => {
  const words = ['sessions', '--all', '--json'];
  const { code, out, said } = await callThere(cli, world, machine, { words });
  const read = z
    .array(rowSchema)
    .max(5_000)
    .safeParse(boundedJson(new TextDecoder().decode(out)));
  if (code === 0 && read.success) return read.data.map((row) => ({ ...row, runner: machine.name }));
  throw new FaultError({
    code: 'runner-sessions',
    what: `its ralph-tui did not list the sessions${said === '' ? '' : `: ${said.split('\n').at(-1)}`}`,
    where: `runner ${machine.name}`,
    hint: `\`ralph-tui runners install ${machine.name}\` installs this version there`,
  });
};

/** The session of that id, or with that beginning, on a machine; `latest` is the one that moved last. */
export const farSession = async (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: World,
  machine: Machine,
  id: string,
): Promise<FarSession> => {
  const rows = await farSessions(cli, world, machine);
  const fits =
    id === 'latest'
      ? rows.toSorted((a, b) => a.age_s - b.age_s).slice(0, 1)
      : rows.filter(({ session_id: session }) => session.startsWith(id));
  const [found] = fits;
  if (found !== undefined && fits.length === 1) return found;
  throw new FaultError({
    code: found === undefined ? 'no-session' : 'ambiguous-session',
    what:
      found === undefined
        ? `there is no session "${id}"`
        : `"${id}" matches ${fits.length} sessions there: ${fits.map(({ session_id: session, workspace }) => `${session} in ${workspace}`).join(', ')}`,
    where: `runner ${machine.name}`,
    hint: found === undefined ? '`ralph-tui sessions --runners` lists them' : 'type more of the id',
  });
};
