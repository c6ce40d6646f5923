import type { RunnerSettings } from '../../session/settings/runners.ts';
import type { Settings } from '../../session/settings.ts';

type Runners = Pick<Settings, 'runners'>;
type FenceSettings = Exclude<RunnerSettings, { ssh: string } | { pool: string }>;

/** What a fence may reach, the least first. */
const networks: readonly FenceSettings['network'][] = ['none', 'model', 'on'];

/** The fence or container of this name; `gone` when it was taken out of the configuration, `null` for another machine. */
const fenceOf = ({ runners }: Runners, name: string): FenceSettings | 'gone' | null => {
  const entry = Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (entry === undefined) return 'gone';
  return 'ssh' in entry || 'pool' in entry ? null : entry;
};

/** Whether the runner keeps agents apart from this machine. One that nobody configures any more counts, because nothing shows that it did not. */
export const isFence = (settings: Runners, name: string): boolean => fenceOf(settings, name) !== null;

/** Of these runners the fence that reaches the least; `null` when none is a fence. */
export const narrowest = (settings: Runners, names: readonly string[]): string | null =>
  names
    .filter((name) => isFence(settings, name))
    .toSorted((a, b) => reach(settings, a) - reach(settings, b))[0] ?? null;

const reach = (settings: Runners, name: string): number => {
  const fence = fenceOf(settings, name);
  return fence === null ? networks.length : fence === 'gone' ? 0 : networks.indexOf(fence.network);
};

/** Those of `names` that hold what `fence` holds: itself, and fences of its kind that reach no more. */
export const sameFences = (settings: Runners, names: readonly string[], fence: string): readonly string[] => {
  const own = fenceOf(settings, fence);
  return names.filter((name) => {
    if (name === fence) return true;
    const other = fenceOf(settings, name);
    if (own === null || own === 'gone' || other === null || other === 'gone') return false;
    return 'sandbox' in own === 'sandbox' in other && reach(settings, name) <= reach(settings, fence);
  });
};
