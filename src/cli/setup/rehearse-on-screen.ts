import type { Store } from '../../../components/create-store.ts';
import type { RehearsalOverlay } from '../../../components/overlay.ts';
import type { TravelIntent } from '../../../components/ports/intent.ts';
import { safe } from '../../base/safe.ts';
import { list } from '../../base/sentence.ts';
import { count } from '../../words/local-time.ts';
import type { Cli } from '../cli.ts';
import { formatFindings } from '../report/format-findings.ts';
import type { World } from '../world.ts';
import { rehearsalCommands, rehearsePlan } from './rehearse.ts';

/**
 * Tries what can fail late in the plan that is shown, as `run --rehearse` does before a start. Asks with the exact commands first: only those that the
 * person has read are run. Closing the window stops it.
 */
export const rehearseOnScreen = async (
  { cli, world }: { readonly cli: Pick<Cli, 'env'>; readonly world: World },
  { store, far }: { readonly store: Store; readonly far?: unknown },
  { agreed }: Extract<TravelIntent, { readonly type: 'rehearse' }>,
): Promise<string | null> => {
  if (far !== undefined) return 'A plan can be checked only on the machine of its session';
  const { session } = store.getState();
  if (session === null) return 'There is no plan to check';
  const { settings, workspace } = session;
  const tasks = [...session.tasks.values()]
    .map(({ definition }) => definition)
    .filter(({ replaced_by: others }) => others.length === 0);
  const lines = rehearsalCommands(settings, tasks).map((line) => safe(world.redact(line)));
  const show = (stage: RehearsalOverlay['stage'], shown: readonly string[]): void =>
    store.act({ type: 'overlay-opened', overlay: { kind: 'rehearsal', stage, lines: shown, top: 0 } });
  if (agreed?.join('\n') !== lines.join('\n')) {
    show('asks', lines);
    return agreed === undefined ? null : 'The plan has changed: read its commands again';
  }
  show('runs', lines);
  const isShown = (): boolean =>
    store.getState().ui.overlays.some((each) => each.kind === 'rehearsal' && each.stage === 'runs');
  const left = new AbortController();
  const release = store.subscribe(() => {
    if (!isShown()) left.abort();
  });
  const notes: string[] = [];
  try {
    const place = { workspace, settings, tasks, text: null };
    const findings = await rehearsePlan(
      { env: cli.env, note: (text) => notes.push(text) },
      world,
      place,
      left.signal,
    );
    if (isShown()) store.act({ type: 'overlay-closed' });
    const width = Math.min(110, store.getState().ui.size.columns - 4) - 4;
    show('done', [...formatFindings(findings, width).split('\n'), ...notes]);
    const wrong = findings.filter(({ ok }) => !ok);
    return wrong.length === 0
      ? 'Nothing that was tried would fail'
      : `${count(wrong.length, 'thing')} would fail: ${list(
          wrong.map(({ check }) => check),
          3,
        )}`;
  } finally {
    release();
    if (isShown()) store.act({ type: 'overlay-closed' });
  }
};
