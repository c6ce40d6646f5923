import { dirname } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import type { Checked } from '../../base/fault.ts';
import type { Random } from '../../base/random.ts';
import { readBytes, readText, replaceFile } from '../../base/replace-file.ts';
import { editGuidance } from './change-guidance.ts';
import type { Guidance } from './guidance.ts';

/** Far more than a person writes. */
const largest = 256 * 1024;

/**
 * Saves guidance: backup, write, read back and check, roll back on any failure (src/discovery/README.md, Wizard). Returns the new text of the file. Throws
 * `DiskError`, with the old file unchanged byte for byte. Returns faults when the existing file cannot be changed safely.
 */
export const writeGuidance = (
  { disk, random }: { readonly disk: Disk; readonly random: Random },
  file: string,
  next: Guidance,
): Checked<string> => {
  disk.mkdir(dirname(file));
  const old = readBytes(disk, file, largest);
  const edited = editGuidance(readText(disk, file, largest) ?? '', next, file);
  if (!edited.ok) return edited;
  if (old !== null) replaceFile(disk, random, `${file}.bak`, old);
  replaceFile(disk, random, file, edited.value);
  const back = readText(disk, file, largest);
  if (back === edited.value) return edited;
  if (old !== null) replaceFile(disk, random, file, old);
  else disk.unlink(file);
  return {
    ok: false,
    faults: [
      {
        code: 'guidance-file',
        what:
          old === null
            ? 'the new file could not be read back, so it was removed'
            : 'the new file could not be read back, so the old one was restored',
        where: file,
        hint: 'check the disk, then save again',
      },
    ],
  };
};
