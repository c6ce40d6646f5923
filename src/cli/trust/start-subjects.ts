import type { Layer } from '../../session/config.ts';
import type { Settings } from '../../session/settings.ts';
import type { World } from '../world.ts';
import { agentSubjects } from './agent-subjects.ts';
import { guidanceSubjects } from './guidance-store.ts';
import { configSubject, type Subject } from './trust-subjects.ts';

interface StartSubjects {
  /** In the order of the question. */
  readonly subjects: readonly Subject[];
  /** The digests that the process of the host holds the files against. */
  readonly agreed: { readonly config: string | null; readonly agentFiles: readonly string[] };
}

/** What every start asks about in a workspace, besides its own plan or session. `skills`: instructions of the phases and workers of an issue. */
export const startSubjects = (
  world: World,
  workspace: string,
  read: { readonly settings: Settings; readonly layers: readonly Layer[]; readonly attended: boolean },
  tasks: Parameters<typeof agentSubjects>[3] = [],
  skills: readonly Subject[] = [],
): StartSubjects => {
  const config = configSubject(read.layers);
  const loaded = agentSubjects(world, workspace, read.settings, tasks);
  return {
    subjects: [
      ...(config === null ? [] : [config]),
      ...(read.attended ? guidanceSubjects(world, workspace) : []),
      ...skills,
      ...loaded,
    ],
    agreed: { config: config?.sha256 ?? null, agentFiles: loaded.map(({ sha256 }) => sha256) },
  };
};
