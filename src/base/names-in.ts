import { type Disk, diskCode } from './disk.ts';

/** The names in a directory, sorted. Empty when it does not exist or cannot be read. */
export const namesIn = (disk: Disk, directory: string): readonly string[] => {
  try {
    return disk.readdir(directory).sort();
  } catch (error) {
    if (diskCode(error) !== '') return [];
    throw error;
  }
};
