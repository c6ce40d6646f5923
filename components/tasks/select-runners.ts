import { safe } from '../../src/base/safe.ts';
import type { RunnerState } from '../../src/pipeline/agents/runner-state.ts';
import type { Invocation, SessionState } from '../../src/pipeline/state.ts';
import type { DetailLine } from '../../src/words/detail-line.ts';
import { fenceGaps } from '../../src/words/fence-gaps.ts';
import { count } from '../../src/words/local-time.ts';

/** The runners that the session has used: what each has, what works there, since when one is unreachable, and late work. */
export const selectRunners = (session: SessionState): readonly DetailLine[] => {
  if (session.runners.size === 0) return [];
  const lines = [...session.runners].flatMap(([name, runner]) => [
    {
      kind: 'item',
      text: safe(`${name}: ${[...placeWords(session, name), ...machineWords(runner)].join(' · ')}`),
    } as const,
    ...(runner.lost === null
      ? []
      : [
          {
            kind: 'bad',
            text: safe(
              `${name} has been unreachable since ${runner.lost.since}: ${runner.lost.why}; its agents keep working until ${runner.lost.stopsAt}`,
            ),
          } as const,
        ]),
    ...runner.late.map((ref) => ({ kind: 'item', text: safe(`late work, not merged: ${ref}`) }) as const),
  ]);
  return [{ kind: 'heading', text: 'Runners' }, ...lines];
};

/** What the fences in which agents work now do not hold, for the header; '' where there is none. */
export const selectFenceGaps = ({ invocations, settings }: SessionState): string => {
  const working = new Set(
    [...invocations.values()].flatMap(({ runner, stage }) => (stage === 'running' ? (runner ?? []) : [])),
  );
  const words = [...working].flatMap((name) => gapsOf(settings, name));
  return words.length === 0
    ? ''
    : `not restricted: ${[...new Set(words.map(({ word }) => word))].join(', ')}`;
};

/** What the fence of this name does not hold; nothing for another kind of runner. */
export const gapsOf = ({ runners }: SessionState['settings'], name: string): ReturnType<typeof fenceGaps> => {
  const entry = Object.hasOwn(runners, name) ? runners[name] : undefined;
  return entry !== undefined && 'sandbox' in entry ? fenceGaps(entry.network) : [];
};

/** "ssh gpu1", "1 of 2 slots". */
export const placeWords = (session: SessionState, name: string): readonly string[] => {
  const entry = Object.hasOwn(session.settings.runners, name) ? session.settings.runners[name] : undefined;
  const works = [...session.invocations.values()].filter(
    ({ runner, stage }) => runner === name && stage === 'running',
  ).length;
  if (entry === undefined) return ['not in the configuration'];
  return [
    'ssh' in entry
      ? `ssh ${entry.ssh}`
      : 'pool' in entry
        ? `pool, queue ${entry.queue}`
        : `${'sandbox' in entry ? 'fence' : `${entry.container} ${entry.image}`}, network: ${entry.network}`,
    `${works} of ${count(entry.slots, 'slot')}`,
  ];
};

export const machineWords = ({ described }: RunnerState): readonly string[] => {
  if (described === null) return [];
  const { round_trip_ms: trip, free_bytes: free, clock_difference_ms: apart, agents } = described;
  const clock = Math.round(Math.abs(apart) / 1_000);
  return [
    `round trip ${trip} ms`,
    `${(free / 1_073_741_824).toFixed(1)} GB free`,
    ...(clock < 2 ? [] : [`clock ${clock} s ${apart < 0 ? 'behind' : 'ahead'}`]),
    ...(agents.length === 0 ? [] : [agents.join(', ')]),
  ];
};

/** "@gpu" after the name of an agent that works there, "@ci/7" in a pool; '' on this machine. */
export const atRunner = ({
  runner,
  claim = null,
}: {
  readonly runner: string | null;
  readonly claim?: Invocation['claim'];
}): string => (runner === null ? '' : safe(` @${runner}${claim === null ? '' : `/${claim.number}`}`));
