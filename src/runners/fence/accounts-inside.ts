/**
 * The accounts and hosts that a fence shows, as files of `/etc`: those of this machine are nobody's business inside, and its own id needs a name, which
 * many programs ask for.
 */
export const accountsInside = (id: number): Readonly<Record<'passwd' | 'group' | 'hosts', string>> => ({
  passwd: lines(
    ...(id === 0 ? [] : ['root:x:0:0:root:/root:/bin/sh']),
    `agent:x:${id}:${id}:agent:/home/agent:/bin/sh`,
  ),
  group: lines(...(id === 0 ? [] : ['root:x:0:']), `agent:x:${id}:`, 'nogroup:x:65534:'),
  hosts: lines('127.0.0.1 localhost', '::1 localhost'),
});

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
