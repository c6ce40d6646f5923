import type { BackendHost } from '../../port.ts';
import type { AgentUpdate } from './updates.ts';

/** Keeps an agent in the mode it was set to: a mode that it chose by itself might let it act unasked (src/agents/README.md, ACP flow, step 6). */
export interface ModeGuard {
  /** Takes the mode that was set at the start. `set` changes it. */
  begin(mode: string | null, set: (mode: string) => Promise<void>): void;
  /** Notes the mode that the agent reports. */
  take(update: AgentUpdate): void;
  /** Notes that a person or the preset allowed a change of mode: the next one that the agent reports is kept. */
  allow(): void;
  /** The agent reported another mode than it was set to. */
  isLeft(): boolean;
  /** Sets the mode again if the agent left it, and says so. Never rejects. */
  putBack(): Promise<void>;
}

export const createModeGuard = (label: string, emit: BackendHost['emit']): ModeGuard => {
  let wanted: string | null = null;
  let current: string | null = null;
  let mayChange = false;
  let set: (mode: string) => Promise<void> = async () => {};

  const isLeft = (): boolean => wanted !== null && current !== wanted;

  return {
    begin: (mode, setMode) => {
      wanted = mode;
      current = mode;
      set = setMode;
    },
    take: (update) => {
      const mode = modeIn(update);
      if (mode === null) return;
      current = mode;
      if (mayChange && mode !== wanted) {
        wanted = mode;
        mayChange = false;
      }
    },
    allow: () => {
      mayChange = true;
    },
    isLeft,
    putBack: async () => {
      const left = current;
      if (!isLeft() || wanted === null || left === null) return;
      const back = wanted;
      // One try for each change, so that an agent that refuses is not asked at every boundary.
      current = back;
      const text = `${label} changed its mode to "${left}" on its own`;
      const problem = await set(back).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      emit({
        type: 'finding.noted',
        text:
          problem === null
            ? `${text}: changed back to "${back}"`
            : `${text}, and could not be changed back to "${back}": ${problem}; it may act without asking`,
      });
      emit({ type: 'agent.mode-changed', mode: problem === null ? back : left });
    },
  };
};

const modeIn = (update: AgentUpdate): string | null => {
  if (update.kind === 'mode') return update.mode;
  if (update.kind !== 'options') return null;
  const mode = update.options.find(({ category }) => category === 'mode')?.value;
  return typeof mode === 'string' ? mode : null;
};
