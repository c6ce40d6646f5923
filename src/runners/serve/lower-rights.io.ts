/** Gives up root for good. Afterwards no process of the same id may look into this one: the kernel guards what changed its id. */
export const lowerRights = (id: number, home: string): void => {
  process.setgroups?.([]);
  process.setgid?.(id);
  process.setuid?.(id);
  process.chdir(home);
};
