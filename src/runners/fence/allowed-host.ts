/** Whether a fence's proxy connects with this host. `*.domain` stands for every name below it; an entry may name a port, else 443 is meant. */
export const isAllowedHost = (hosts: readonly string[], host: string, port: number): boolean =>
  hosts.some((entry) => {
    const [name = '', own = '443'] = entry.toLowerCase().split(':');
    const asked = host.toLowerCase();
    if (Number(own) !== port) return false;
    return name.startsWith('*.')
      ? asked.endsWith(name.slice(1)) && asked.length > name.length - 1
      : asked === name;
  });

/** The entries that name a port of this machine's loopback, such as a gateway of models: `localhost:8080`. One for each port. */
export const loopbackEntries = (hosts: readonly string[]): readonly string[] => [
  ...new Map(
    hosts.flatMap((entry) => {
      const [, port] = /^(?:localhost|127(?:\.\d{1,3}){3}):(\d+)$/u.exec(entry.toLowerCase()) ?? [];
      return port === undefined ? [] : [[port, entry] as const];
    }),
  ).values(),
];
