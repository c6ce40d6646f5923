import type { Brief } from '../../../port.ts';
import type { AgentProfile } from '../../../profiles/profile.ts';
import { summarize } from '../../../roles/messages.ts';
import { slotVariable } from '../../slot-variable.ts';
import type { SessionRequest } from '../link.ts';

/** What differs by the work, where the agent takes it with its session. */
export const sessionMeta = (
  { sessionOptions }: AgentProfile,
  brief: Brief,
  access: Readonly<Record<string, string>>,
): Pick<SessionRequest, 'meta'> => {
  if (sessionOptions === null) return {};
  const env = { ...slotVariable(brief), ...access };
  return { meta: { [sessionOptions]: { options: { env, title: sessionTitle(brief) } } } };
};

/** As it stands in the agent's own list of sessions. */
export const sessionTitle = ({ role, mode, task, goal }: Brief): string =>
  summarize(
    task === undefined ? `${role} (${mode}): ${goal}` : `${role}: ${task.id} ${task.title}`,
    longestTitle,
  );

const longestTitle = 80;
