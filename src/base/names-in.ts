import { type Disk, diskCode } from './disk.ts';

/** What lies in a directory, sorted; nothing where there is none or it cannot be read. */
export const namesIn = (disk: Disk, directory: string): readonly string[] => {
  try {
    return disk.readdir(directory).sort();
  } catch (error) {
    if (diskCode(error) !== '') return [];
    throw error;
  }
};
