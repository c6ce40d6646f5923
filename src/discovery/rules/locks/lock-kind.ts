/** A lock file of one package manager and the manifest it belongs to. */
export interface LockKind {
  readonly lock: string;
  readonly manifest: string;
  /** Managers of one ecosystem lock the same packages, so two of their files in one directory contradict each other. */
  readonly ecosystem: 'node' | 'python' | 'rust' | 'go';
  /** The command that updates the lock: `npm install`. */
  readonly refresh: string;
  /**
   * Requirements of the manifest that the lock lacks, as people write them (`zod ^4.0.0`). Empty if both agree or a text cannot be judged. Absent:
   * this lock is not compared. `member`: the directory of a workspace's member, '' for the manifest beside the lock.
   */
  readonly missing?: (lock: string, manifest: string, member: string) => readonly string[];
  /** The directories of members whose requirements the lock holds too, relative to it. */
  readonly members?: (lock: string) => readonly string[];
}
