import { acpProfiles } from '../../src/agents/profiles/acp-profiles.ts';
import { safe } from '../../src/base/safe.ts';
import type { ViewState } from '../view.ts';

/** The vendor's login command of an agent. */
interface Login {
  readonly label: string;
  readonly command: string;
}

/** The login that the stopped session waits for, or `null`. */
export const selectLogin = ({ session, connection }: ViewState): Login | null => {
  if (session === null || connection !== 'stopped') return null;
  const names = [...session.invocations.values()].flatMap(({ stage, failure }) =>
    stage === 'failed' && failure?.fault.code === 'agent-login' ? [failure.fault.where] : [],
  );
  const profile = acpProfiles(session.settings.agents).find(({ name }) => names.includes(name));
  return profile?.login == null ? null : { label: safe(profile.label), command: profile.login };
};
