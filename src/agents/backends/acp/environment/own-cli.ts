import type { Disk } from '../../../../base/disk.ts';
import { findProgram, isProgramThere } from '../../../../base/process/find-program.ts';
import type { AgentProfile } from '../../../profiles/profile.ts';

/**
 * The profile with its adapter pointed to the vendor's own program on the PATH, so that the user's version counts. A variable that the user set stays.
 */
export const withOwnCli = (
  profile: AgentProfile,
  {
    env,
    disk,
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly disk: Pick<Disk, 'lstat'>;
  },
  workspace: string,
): AgentProfile => {
  const { ownCli } = profile;
  if (ownCli === null || (profile.env[ownCli.variable] ?? env[ownCli.variable]) !== undefined) return profile;
  const file = findProgram(ownCli.program, workspace, env, isProgramThere(disk));
  return file === null ? profile : { ...profile, env: { ...profile.env, [ownCli.variable]: file } };
};
