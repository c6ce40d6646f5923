import { type PartialSettings, settingKeys, settingOf } from './partial-settings.ts';

/**
 * The settings of a repository's own file that make something run, let agents do more, cost more or hide more than without them, one line each:
 * what a person has to agree to before they count (product.md, Commands; quality.md, Execution). The list names what is harmless, so that a new key asks
 * until somebody has thought about it.
 */
export const wideningSettings = (values: PartialSettings): readonly string[] =>
  settingKeys.flatMap((key) => {
    const value = settingOf(values, key);
    return value === undefined || isHarmless(key, value) ? [] : [`${key}: ${JSON.stringify(value)}`];
  });

const isHarmless = (key: string, value: unknown): boolean =>
  harmlessKeys.test(key) || harmlessValues.has(`${key}=${JSON.stringify(value)}`);

/** How much at once, how long and how it looks: nothing of it starts anything that would not start anyway. */
const harmlessKeys =
  /^(?:concurrency|planning|retries|timeouts|signals)\.|^knowledge\.(?:approval_timeout|max_carry_iterations)$|^ui\.(?:theme|ascii|mouse)$/;

/** What these keys have where nobody sets them, or less. */
const harmlessValues: ReadonlySet<string> = new Set([
  'gates=["plan"]',
  'knowledge.docs_dir=".docs"',
  'permissions="ask"',
  'commit=false',
  'host="process"',
  'on_disconnect="pause"',
  'on_disconnect="abort"',
  'isolation="worktree"',
  'agents={}',
  'roles={}',
  'ui.keys={}',
  'ui.notify="bell"',
  'ui.notify="none"',
]);
