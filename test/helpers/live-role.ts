import type { Brief, Directive, RoleEnd } from '../../src/agents/port.ts';
import type { RoleFact } from '../../src/agents/role-fact.ts';
import { procedures } from '../../src/agents/roles/index.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { writeArtifacts } from '../../src/engine/artifacts.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import type { CheckpointId } from '../../src/signals/checkpoints.ts';
import { go } from './role-port.ts';
import { scriptBackend } from './script-backend.ts';

export interface LiveEnd {
  readonly end: RoleEnd & { readonly kind: 'outcome' };
  readonly facts: readonly RoleFact[];
}

/** Runs one invocation as the engine does: its procedure over the scripted agent, its artifacts written to the real disk. */
export const liveRole = async (
  brief: Brief,
  at: Readonly<Partial<Record<CheckpointId, Directive>>> = {},
): Promise<LiveEnd> => {
  const facts: RoleFact[] = [];
  const emit = (fact: RoleFact): void => {
    facts.push(fact);
  };
  const told = new Set<CheckpointId>();
  const checkpoint = async (id: CheckpointId): Promise<Directive> => {
    const directive = at[id];
    if (directive === undefined || told.has(id)) return go();
    told.add(id);
    return directive;
  };
  const worker = scriptBackend().start(brief, { emit, output: () => {} });
  const end = await procedures[brief.role]({
    brief,
    emit,
    checkpoint,
    turn: (ask, boundary) =>
      worker.turn(ask, () => (boundary ? checkpoint(boundary) : Promise.resolve(go()))),
  });
  if (end.kind !== 'outcome') throw new Error(JSON.stringify(end));
  const paths = sessionPaths(brief.workspace, brief.session);
  const odd = writeArtifacts({ disk: createDisk(), random: createRandom(), paths }, end.artifacts);
  if (odd.length > 0) throw new Error(JSON.stringify(odd));
  return { end, facts };
};
