import { safe } from '../../../base/safe.ts';
import type { Engine } from '../../../engine/engine.ts';
import { createSpanSteps, type SpanStep } from '../../../observability/otlp/span-steps.ts';
import type { Settings } from '../../../session/settings.ts';
import { count } from '../../../words/local-time.ts';
import type { Cli } from '../../cli.ts';
import { version } from '../../version.ts';
import type { World } from '../../world.ts';

/** A trace of the session that this process hosts. */
interface SessionTrace {
  /** The environment of agents: their own spans nest below the session's. */
  readonly env: Cli['env'];
  readonly follow: (engine: Pick<Engine, 'subscribe' | 'settled'>, session: string) => void;
}

/** Begins a trace where a collector is set; without one no SDK is loaded. */
export const openTrace = (
  cli: Cli,
  { random, clock }: World,
  { observability }: Pick<Settings, 'observability'>,
): SessionTrace => {
  const url = observability.otlp;
  if (url === null) return { env: cli.env, follow: () => {} };
  const ids = { traceId: random.hex(32), rootId: random.hex(16) };
  return {
    env: { ...cli.env, TRACEPARENT: `00-${ids.traceId}-${ids.rootId}-01` },
    follow: (engine, session) => {
      const waiting: SpanStep[] = [];
      let take = (step: SpanStep): void => void waiting.push(step);
      const stepsOf = createSpanSteps(session);
      engine.subscribe((event) => {
        for (const step of stepsOf(event)) take(step);
      });
      const started = import('../../../observability/otlp/export-spans.io.ts').then(({ startExport }) => {
        const opened = startExport({ url, version, ...ids, newSpanId: () => random.hex(16), clock });
        take = opened.take;
        for (const step of waiting.splice(0)) take(step);
        return opened;
      });
      // Told after the end: until then the terminal may be a screen.
      void engine.settled().then(async () => {
        const unsent = await (await started).close();
        if (unsent !== null)
          cli.note(
            `ralph-tui: the collector at ${safe(url)} did not accept ${count(unsent.count, 'span')} of the trace: ${safe(unsent.reason)}`,
          );
      });
    },
  };
};
