import { join } from 'node:path';
import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText } from '../../base/replace-file.ts';
import { safe, visibleLines } from '../../base/safe.ts';
import type { RoleDefinition } from '../../engine/flow/flow-port.ts';
import { type FlowRole, taskRoles } from '../../issues/task-list/task-phase.ts';
import {
  definitionFolders,
  definitionName,
  parseWorkerDefinition,
} from '../../issues/team/worker-definition.ts';
import { shippedWorkers } from '../../skills/shipped-workers.io.ts';
import { type Cli, failure } from '../cli.ts';
import type { World } from '../world.ts';
import { recallTrust } from './trust-memory.ts';
import type { Subject } from './trust-subjects.ts';

/** A definition of the repository, with its place for people. */
interface OwnDefinition {
  readonly role: FlowRole;
  readonly file: string;
  readonly text: string;
}

/** The repository's own definitions of workers, the stronger one of each role. They count once a person accepted exactly their text. */
export const workerSubjects = (world: World, workspace: string): readonly Subject[] =>
  taskRoles.flatMap((role) => {
    const own = ownDefinition(world, workspace, role);
    return own === null ? [] : [subjectOf(own)];
  });

/** The definition of a role's workers: the repository's where it was accepted, else ours and why. One that was accepted and cannot be read stops the start. */
export const usableWorker = (
  env: Cli['env'],
  world: World,
  workspace: string,
  role: FlowRole,
): RoleDefinition => {
  const name = definitionName(role);
  const own = ownDefinition(world, workspace, role);
  const isOwn = own !== null && recallTrust(env, world, workspace, own.file)?.sha256 === sha256(own.text);
  const file = isOwn ? own.file : join(shippedWorkers(), `${name}.md`);
  const { value, problem } = parseWorkerDefinition(
    isOwn ? own.text : (readText(world.disk, file) ?? ''),
    name,
  );
  if (value === null)
    throw failure({
      code: 'worker-definition',
      what: `the worker definition ${problem}`,
      where: safe(file),
    });
  return { definition: value, refused: own === null || isOwn ? null : notAccepted(own) };
};

const notAccepted = ({ file, role }: OwnDefinition): Fault => ({
  code: 'worker-not-accepted',
  what: `${safe(file)}: its current text has not been accepted, so each ${role} uses the program's own definition`,
  hint: 'the next start in a terminal will ask you to accept it',
});

const ownDefinition = ({ disk }: World, workspace: string, role: FlowRole): OwnDefinition | null => {
  for (const folder of definitionFolders) {
    const file = `${folder}/${definitionName(role)}.md`;
    // A link could be led elsewhere after it was accepted.
    if (disk.lstat(join(workspace, file))?.kind !== 'file') continue;
    const text = readText(disk, join(workspace, file));
    if (text !== null) return { role, file, text };
  }
  return null;
};

const subjectOf = ({ role, file, text }: OwnDefinition): Subject => ({
  name: file,
  sha256: sha256(text),
  would: `would instruct every ${role} and set its tools`,
  lines: visibleLines(text),
  isRead: true,
});
