import type { Brief } from '../../../port.ts';
import type { AgentProfile } from '../../../profiles/profile.ts';
import type { AgentTools, OpenTools, ToolCalls } from '../../../tools.ts';
import { slotVariable } from '../../slot-variable.ts';
import { sessionMeta } from '../environment/session-meta.ts';
import { serverOf, toolAccess } from '../environment/tool-access.ts';
import type { AgentLink, OpenedSession, SessionRequest } from '../link.ts';

/** A session of an agent that was opened before its work began. No prompt was sent to it. */
export interface AheadSession {
  /** Where it works: `placeOf` its work. */
  readonly place: string;
  readonly opened: Promise<OpenedSession>;
  /** Absent: the agent has none of our tools. */
  readonly tools?: AheadTools;
}

/** Our tools in such a session: they are listed, and answer nothing before their work has begun. */
export interface AheadTools {
  /** Gives them to the work. */
  adopt(calls: ToolCalls): Promise<OpenTools>;
  close(): void;
}

/** What a session is opened with that no later request changes. */
export const placeOf = (brief: Pick<Brief, 'workspace' | 'slot'>): string =>
  JSON.stringify([brief.workspace, slotVariable(brief)]);

export const openAhead = (
  link: Promise<Pick<AgentLink, 'open'>>,
  {
    profile,
    brief,
    tools,
  }: { readonly profile: AgentProfile; readonly brief: Brief; readonly tools: AgentTools | null },
): AheadSession => {
  const late = tools === null ? undefined : createAheadTools(tools, brief);
  const opened = link.then(async (ready) => {
    const { servers, env } = toolAccess(profile, late === undefined ? [] : [serverOf(await late.opened)]);
    const request: SessionRequest = { cwd: brief.workspace, tools: servers, earlier: null };
    return ready.open({ ...request, ...sessionMeta(profile, brief, env) });
  });
  // The work opens another one, and says what is wrong.
  opened.catch(() => {});
  return { place: placeOf(brief), opened, ...(late === undefined ? {} : { tools: late }) };
};

const createAheadTools = (
  tools: AgentTools,
  brief: Brief,
): AheadTools & { readonly opened: Promise<OpenTools> } => {
  let work: ToolCalls | null = null;
  let isListed = false;
  let isClosed = false;
  const begun = (): ToolCalls => {
    if (work === null) throw new Error('the work of this session has not begun');
    return work;
  };
  const opened = tools.open({
    get brief() {
      return work?.brief ?? brief;
    },
    listed: () => {
      isListed = true;
      work?.listed?.();
    },
    tasks: () => begun().tasks(),
    report: (task) => begun().report(task),
    ask: (question) => begun().ask(question),
    stage: (note) => begun().stage(note),
    boundary: async () => begun().boundary(),
    reached: (messages) => begun().reached(messages),
    missed: (messages) => begun().missed(messages),
    held: async () => begun().held(),
    released: async () => begun().released(),
    update: (update) => begun().update(update),
  });
  opened.catch(() => {});
  return {
    opened,
    adopt: (calls) => {
      work = calls;
      if (isListed) calls.listed?.();
      return opened;
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      void opened.then(({ close }) => close()).catch(() => {});
    },
  };
};
