import { commandText } from '../../agents/command-text.ts';
import { safe } from '../../base/safe.ts';
import type { Event, EventOf } from '../../pipeline/event.ts';
import { failedCall, toolText } from '../../words/agent-words.ts';

/** A tool call or a command of an attempt. */
export interface Step {
  readonly at: string;
  readonly kind: 'tool' | 'command' | 'verify';
  readonly text: string;
  /** `null` while it runs, or where its end is unknown. */
  readonly ok: boolean | null;
  /** `null` also for a call that never ran. */
  readonly ms: number | null;
  /** How it ended where `ok` is false. */
  readonly failed?: ReturnType<typeof failedCall>;
}

/** The key of an attempt's steps and output. */
export const stepsKey = (task: string, attempt: number): string => `${task}#${attempt}`;

/** The steps of every attempt, by `stepsKey`. */
export const stepsOf = (events: readonly Event[]): ReadonlyMap<string, readonly Step[]> => {
  const steps = new Map<string, Step[]>();
  const open = new Map<string, { readonly list: Step[]; readonly index: number }>();
  const begin = (event: Started, key: string, step: Step): void => {
    if (event.task === undefined || event.attempt === undefined) return;
    const own = stepsKey(event.task, event.attempt);
    const list = steps.get(own) ?? [];
    steps.set(own, list);
    open.set(key, { list, index: list.length });
    list.push(step);
  };
  const end = (key: string, ended: Pick<Step, 'ok' | 'ms' | 'failed'>, late?: string): void => {
    const found = open.get(key);
    const step = found?.list[found.index];
    if (found === undefined || step === undefined) return;
    const text = late === undefined || step.text.includes(late) ? step.text : late;
    found.list[found.index] = { ...step, text, ...ended };
    open.delete(key);
  };
  for (const event of events) {
    switch (event.type) {
      case 'tool.started':
        begin(event, callKey(event), { ...begun(event), kind: 'tool', text: safe(toolText(event)) });
        break;
      case 'tool.ended':
        end(
          callKey(event),
          event.ok ? { ok: true, ms: event.duration_ms } : lost(event),
          event.title === undefined ? undefined : safe(event.title),
        );
        break;
      case 'command.started':
        begin(event, commandKey(event), {
          ...begun(event),
          kind: event.purpose === 'verify' ? 'verify' : 'command',
          text: safe(commandText(event.command)),
        });
        break;
      case 'command.ended':
        end(commandKey(event), { ok: event.ok, ms: event.duration_ms });
        break;
      default:
        break;
    }
  }
  return steps;
};

const lost = (event: EventOf<'tool.ended'>): Pick<Step, 'ok' | 'ms' | 'failed'> => {
  const failed = failedCall(event);
  return { ok: false, ms: failed === 'failed' ? event.duration_ms : null, failed };
};

interface Started {
  readonly task?: string | undefined;
  readonly attempt?: number | undefined;
}

const begun = ({ at }: Event): Pick<Step, 'at' | 'ok' | 'ms'> => ({ at, ok: null, ms: null });
const callKey = (event: { readonly invocation: string; readonly call: string }): string =>
  `${event.invocation} call ${event.call}`;
const commandKey = (event: { readonly invocation: string; readonly index: number }): string =>
  `${event.invocation} command ${event.index}`;
