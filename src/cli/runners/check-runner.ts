import type { Fault } from '../../base/fault.ts';
import { updateHint } from '../../runners/carriers/ssh.ts';
import { agentsOf, type Described } from '../../runners/remote/connection.ts';
import { fenceGaps } from '../../words/fence-gaps.ts';
import type { Cli } from '../cli.ts';
import { version } from '../version.ts';
import { createWorld } from '../world.ts';
import { acceptedSettings } from './accepted-settings.ts';
import { configuredRunner } from './configured-runner.ts';
import { describedBy } from './ready-runners.ts';
import { wireRunners } from './wire-runners.ts';

/** One line of `runners check --json` and `doctor --runner --json`. */
export interface RunnerFinding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly problem: string | null;
  readonly hint: string | null;
}

/** Connects with a runner once and says what it has, what is wrong and what to do. An unknown name is a usage error. */
export const checkRunner = async (cli: Cli, name: string): Promise<readonly RunnerFinding[]> => {
  const world = createWorld();
  const settings = acceptedSettings(cli, world, name);
  const entry = configuredRunner(name, settings);
  const runners = wireRunners(cli, world, settings);
  try {
    const fence = 'sandbox' in entry ? fenceFinding(name, entry.network) : [];
    const command = 'ssh' in entry ? (entry.command ?? null) : null;
    return [...findingsOf({ name, command }, await describedBy(runners, name)), ...fence];
  } finally {
    runners.close();
  }
};

/** A fence is not everything: what it does not hold is listed beside what is right. */
const fenceFinding = (name: string, network: Parameters<typeof fenceGaps>[0]): readonly RunnerFinding[] => [
  good(
    `runner ${name}: sandbox`,
    `network: ${network}; not restricted: ${fenceGaps(network)
      .map(({ text }) => text)
      .join(
        '; ',
      )}; it ends with the work of the agent, and what was written in it is checked in a new one unless on.reviewer or on.verify says otherwise`,
  ),
];

/** What is right and wrong with a runner that answered, or why it did not. */
export const findingsOf = (
  target: Parameters<typeof updateHint>[0],
  described: Described | Fault,
): readonly RunnerFinding[] => {
  const { name } = target;
  const check = (what: string): string => `runner ${name}: ${what}`;
  if ('code' in described) {
    const { what, hint = null } = described;
    return [{ check: check('link'), ok: false, found: 'not reached', problem: what, hint }];
  }
  return describedFindings(target, described).map((finding) => ({ ...finding, check: check(finding.check) }));
};

/** Bytes of free disk below which work there would fail soon. */
const leastFree = 1_073_741_824;
/** Milliseconds by which clocks may differ: certificates and file times begin to matter beyond it. */
const mostApart = 60_000;

const describedFindings = (
  target: Parameters<typeof updateHint>[0],
  described: Described,
): readonly RunnerFinding[] => {
  const { program, node, git, cores, freeBytes, clockDifferenceMs, roundTripMs, noVerify } = described;
  const gigabytes = `${(freeBytes / 1_073_741_824).toFixed(1)} GB`;
  const apart = `${Math.abs(clockDifferenceMs) >= mostApart ? `${Math.round(Math.abs(clockDifferenceMs) / 60_000)} min` : `${Math.round(Math.abs(clockDifferenceMs) / 1_000)} s`} ${clockDifferenceMs < 0 ? 'behind' : 'ahead'}`;
  return [
    good('link', `round trip ${roundTripMs} ms, ${cores} cores`),
    program === `ralph-tui ${version}`
      ? good('program', program)
      : bad('program', program, `this is ralph-tui ${version}`, updateHint(target)),
    good('node', node),
    git === null
      ? bad('git', 'none', 'git was not found there, but it is needed to transfer work', 'install git there')
      : good('git', git),
    freeBytes < leastFree
      ? bad('disk', gigabytes, 'the disk there is almost full', 'free some space in its home directory')
      : good('disk', `${gigabytes} free`),
    Math.abs(clockDifferenceMs) >= mostApart
      ? bad('clock', apart, `its clock is ${apart}`, 'synchronise it with a time server (NTP)')
      : good('clock', Math.abs(clockDifferenceMs) < 1_000 ? 'the same time' : apart),
    good('agents', agentsOf(described).join(', ') || 'none found; commands can still run'),
    ...(noVerify === undefined
      ? []
      : [
          bad(
            'verify',
            'fails',
            `\`verify\` fails in this sandbox, because it can keep no command apart from the others (${noVerify})`,
            'name another place in `on.verify`, or let this machine nest user namespaces',
          ),
        ]),
  ];
};

const good = (check: string, found: string): RunnerFinding => ({
  check,
  ok: true,
  found,
  problem: null,
  hint: null,
});
const bad = (check: string, found: string, problem: string, hint: string): RunnerFinding => ({
  check,
  ok: false,
  found,
  problem,
  hint,
});
