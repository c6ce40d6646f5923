import { safe } from '../../base/safe.ts';
import type { DiffFile } from './diff.ts';

/** What happened to a file beside its lines, in a few words; '' when only lines changed. */
export const fileWords = (file: DiffFile): string => {
  const { kind, from, modes, binary, garbled } = file;
  return [
    kind === 'added' ? 'new' : kind === 'deleted' ? 'deleted' : '',
    from === null ? '' : `${kind} from ${safe(from)}`,
    modes === null ? '' : modeWords(modes),
    binary ? 'binary, not shown' : '',
    garbled ? 'partly not UTF-8, or contains U+FFFD' : '',
  ]
    .filter((words) => words !== '')
    .join(' · ');
};

const modeWords = ([before, after]: readonly [string, string]): string => {
  const [was, is] = [nameOf(before), nameOf(after)];
  if (was !== is) return `${was} → ${is}`;
  if (before === '100644' && after === '100755') return 'made executable';
  if (before === '100755' && after === '100644') return 'no longer executable';
  return `mode ${safe(before)} → ${safe(after)}`;
};

const nameOf = (mode: string): string =>
  mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
