import { join } from 'node:path';
import { z } from 'zod';
import { type Disk, diskCode } from '../../../base/disk.ts';
import { readText } from '../../../base/replace-file.ts';
import { markPromoted, parseKnowledge } from '../../../session/knowledge.ts';
import { sessionPaths } from '../../../session/paths.ts';
import { formatRow } from '../../../tasks/sections.ts';
import { answered, type ScriptTurn } from './script-turn.ts';
import { type StagedFile, stagedFiles } from './staged-files.ts';

/**
 * PROMOTE: writes the chosen staged documents, or all without a choice, with `promoted_at`. A workspace document without our `source_session` belongs
 * to somebody else and stays unchanged.
 */
export const promote: ScriptTurn = async ({ brief, disk }, ask) => {
  const { promote: chosen } = promoteDataSchema.parse(ask.data ?? {});
  const knowledge = sessionPaths(brief.workspace, brief.session).iteration(brief.iteration).knowledge;
  const docs = join(brief.workspace, brief.settings.knowledge.docs_dir);
  const wanted = stagedFiles(disk, knowledge).filter(
    (staged) => !staged.promoted && (chosen === undefined || chosen.includes(staged.file)),
  );
  const free = wanted.filter(({ file }) => isOurs(disk, join(docs, file), brief.session));
  const documents = free.map(({ file, text }) => ({
    file,
    text: markPromoted(text, brief.at ?? ''),
  }));
  return answered({
    documents,
    refused: wanted
      .filter((staged) => !free.includes(staged))
      .map(
        ({ file }) =>
          `${file} was not promoted: ${join(brief.settings.knowledge.docs_dir, file)} already exists, and this session did not write it; move that file or rename the lesson`,
      ),
    index: indexWith(readText(disk, join(docs, 'index.md')), free, brief.at ?? ''),
  });
};

const promoteDataSchema = z.object({ promote: z.array(z.string()).readonly().optional() });

const isOurs = (disk: Disk, path: string, session: string): boolean => {
  try {
    const text = readText(disk, path);
    if (text === null) return true;
    return parseKnowledge(text, path).value.source_session === session;
  } catch (error) {
    // A link, a directory or a huge file has this name: it is not ours.
    if (diskCode(error) !== '') return false;
    throw error;
  }
};

/** The index with one line for each document. Replaces our lines and keeps all others. */
const indexWith = (old: string | null, documents: readonly StagedFile[], at: string): string => {
  const links = new Set(documents.map(({ file }) => `(${file})`));
  const head = `# Documents\n\n${formatRow(['File', 'Category', 'Source Artifacts', 'Staged At', 'Promoted At'])}\n| --- | --- | --- | --- | --- |\n`;
  const kept = (old ?? head)
    .trimEnd()
    .split('\n')
    .filter((line) => ![...links].some((link) => line.startsWith('|') && line.includes(link)));
  const rows = documents.map(({ file, item }) =>
    formatRow([
      `[${item.name}](${file})`,
      item.category,
      item.source_artifacts.join(', '),
      item.staged_at,
      at,
    ]),
  );
  return `${[...kept, ...rows].join('\n')}\n`;
};
