import { join } from 'node:path';
import { safe } from '../../base/safe.ts';
import { checkSeal, type SealCheck } from '../../observability/check-seal.ts';
import { scanBlocks } from '../../observability/journal-file.ts';
import type { SealPlace } from '../../observability/journal-seal.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { count } from '../../words/local-time.ts';
import { type Cli, failure } from '../cli.ts';
import { isPrivate } from '../session/proof/is-private.ts';
import { recordsOf } from '../session/proof/session-records.ts';
import type { World } from '../world.ts';
import { recallTrust } from './trust-memory.ts';
import { isKnownSession } from './trust-question.ts';
import { type Subject, sessionName } from './trust-subjects.ts';

/**
 * A resume believes the journal, and an agent can append to it: another plan, an answer, a setting, a review. So each line counts only while this program
 * wrote it, or after a yes.
 */
export const sealPlace = (
  env: Cli['env'],
  { spawn }: Pick<World, 'spawn'>,
  paths: SessionPaths,
): SealPlace => ({ path: recordsOf(env, 'journals', paths), boot: spawn.self.boot });

/** For another writer than the session: `null` where the journal holds what nobody accepted, which a seal over it would hide. */
export const sealIfWhole = (env: Cli['env'], world: World, paths: SessionPaths): SealPlace | null =>
  checkJournal(env, world, paths).whole ? sealPlace(env, world, paths) : null;

/** Compares a session's journal with what this program wrote. */
export const checkJournal = (env: Cli['env'], world: World, paths: SessionPaths): SealCheck => {
  const place = sealPlace(env, world, paths);
  const isOurs = isPrivate(world, join(place.path, '..')) && isPrivate(world, place.path);
  return checkSeal(world.disk, paths.journal, isOurs ? place : null);
};

const journalName = (session: string): string => `the journal of ${sessionName(session)}`;

/** The question about a journal that this program did not write as it is. The question about a session that was not started here comes with it. */
export const journalSubject = (
  env: Cli['env'],
  world: World,
  paths: SessionPaths,
  { whole, digest, ours, sealed }: SealCheck,
): readonly Subject[] => {
  if (whole) return [];
  const isKnown = isKnownSession(env, world, paths);
  const lines = isKnown && ours !== null ? linesAfter(world, paths, ours) : [];
  return [
    {
      name: journalName(paths.session),
      sha256: digest,
      would: isKnown ? wouldOf(lines.length, ours, sealed) : 'would be used as it is',
      lines,
      isRead: true,
    },
  ];
};

const wouldOf = (lines: number, ours: number | null, sealed: boolean): string => {
  if (!sealed)
    return 'would be used, although this program has no record of what it wrote: an earlier version kept none, and you are asked once';
  if (ours === null) return 'would be used, although nothing shows that this program wrote it as it is';
  return lines === 0
    ? 'would be used, although its end is missing'
    : `would be used with ${count(lines, 'line')} that this program did not write`;
};

const linesAfter = (world: World, { journal }: SessionPaths, from: number): readonly string[] => {
  const lines: string[] = [];
  scanBlocks(world.disk, journal, from, (block) => {
    for (const line of new TextDecoder().decode(block).split('\n')) if (line !== '') lines.push(safe(line));
  });
  return lines;
};

/** For the host of a session, which cannot ask: throws when the journal is neither ours nor accepted. */
export const refuseUnseenJournal = (
  env: Cli['env'],
  world: World,
  paths: SessionPaths,
  { whole, digest }: SealCheck,
): void => {
  if (whole || recallTrust(env, world, paths.workspace, journalName(paths.session))?.sha256 === digest)
    return;
  throw failure({
    code: 'needs-yes',
    what: 'the journal of the session holds lines that this program did not write',
    where: paths.journal,
    hint: `run \`ralph-tui resume ${paths.session}\` in a terminal to review and accept them`,
  });
};
