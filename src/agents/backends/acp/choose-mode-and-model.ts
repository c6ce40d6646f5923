import { FaultError } from '../../../base/fault.ts';
import type { AgentProfile } from '../../profiles/profile.ts';
import type { AgentLink, OpenedSession } from './link.ts';

/** What the settings name for a role. `null`: nothing. */
export interface ModeAndModel {
  readonly mode: string | null;
  readonly model: string | null;
}

/** What the session has now, and one sentence for each request that this agent does not fulfil. */
interface Chosen extends ModeAndModel {
  readonly sentences: readonly string[];
  /** Sets another mode later, the same way. */
  readonly setMode: (mode: string) => Promise<void>;
}

/**
 * Sets the mode and the model of an opened session (src/agents/README.md, ACP flow, step 4): by config option where the agent has one, else by the request of its
 * own. Without a request the mode is the one in which the agent asks, and the model is the agent's choice. Agents of another version may lack either; the
 * session then runs without.
 */
export const chooseModeAndModel = async (
  link: AgentLink,
  opened: OpenedSession,
  { label, askingMode }: Pick<AgentProfile, 'label' | 'askingMode'>,
  wanted: ModeAndModel,
): Promise<Chosen> => {
  const sentences: string[] = [];
  const modes = modesOf(link, opened);
  const models = modelsOf(link, opened);

  const set = async (what: 'mode' | 'model', choice: Choice, wanted: string): Promise<string | null> => {
    const problem = lackOf(choice, wanted) ?? (await refusalOf(choice, wanted));
    if (problem === null) return wanted;
    sentences.push(`${label} has no ${what} "${wanted}": ${problem}`);
    return null;
  };

  /** An agent that offers the mode and then refuses it does not start: it might act unasked. */
  const setAsking = async (): Promise<string | null> => {
    if (askingMode === null) return modes.current;
    if (lackOf(modes, askingMode) === null) {
      if (modes.current !== askingMode) await modes.set(askingMode);
      return askingMode;
    }
    sentences.push(
      `${label} has no mode "${askingMode}" that asks before it acts: it may act without asking`,
    );
    return modes.current;
  };

  const chosen = wanted.mode === null ? null : await set('mode', modes, wanted.mode);
  if (chosen !== null && askingMode !== null && chosen !== askingMode)
    sentences.push(`${label} runs in mode "${chosen}", not in "${askingMode}": it may act without asking`);
  const mode = chosen ?? (await setAsking());
  const model = wanted.model === null ? null : await set('model', models, wanted.model);
  return { mode, model: model ?? models.current, sentences, setMode: modes.set };
};

/** One thing that an agent lets its client choose. */
interface Choice {
  readonly current: string | null;
  readonly offered: readonly string[];
  readonly set: (value: string) => Promise<void>;
}

const modesOf = (link: AgentLink, opened: OpenedSession): Choice =>
  optionOf(link, opened, 'mode') ?? {
    current: opened.mode,
    offered: opened.modes,
    set: (mode) => link.setMode(opened.id, mode),
  };

const modelsOf = (link: AgentLink, opened: OpenedSession): Choice =>
  optionOf(link, opened, 'model') ?? {
    current: opened.model,
    offered: opened.models,
    set: (model) => link.setModel(opened.id, model),
  };

const optionOf = (link: AgentLink, { id, options }: OpenedSession, category: string): Choice | null => {
  const option = options.find((each) => each.category === category);
  if (option === undefined || typeof option.value !== 'string') return null;
  return {
    current: option.value,
    offered: option.choices,
    set: (value) => link.setOption(id, option.id, value),
  };
};

/** Names shown of those that are offered. */
const mostNames = 8;

/** Why the agent cannot have a value, or `null`. */
const lackOf = ({ current, offered }: Choice, wanted: string): string | null => {
  if (current === wanted || offered.includes(wanted)) return null;
  const rest = offered.length > mostNames ? ', …' : '';
  return offered.length === 0
    ? 'it offers none to choose from'
    : `it offers ${offered.slice(0, mostNames).join(', ')}${rest}`;
};

/** Sets a value. Gives the agent's error, or `null`. */
const refusalOf = async ({ current, set }: Choice, wanted: string): Promise<string | null> => {
  try {
    if (current !== wanted) await set(wanted);
    return null;
  } catch (error) {
    // An agent that is gone fails the prompt that follows, which says more.
    if (error instanceof FaultError) return error.fault.what;
    throw error;
  }
};
