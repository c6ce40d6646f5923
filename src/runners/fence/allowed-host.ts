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
