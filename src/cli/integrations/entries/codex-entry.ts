import { join } from 'node:path';
import type { Fault } from '../../../base/fault.ts';
import { codexHome } from '../../codex-home.ts';
import type { Entry } from './entry.ts';

/**
 * Codex starts servers without its own environment: the marker of a session of ours has to be named. A server `ralph` would displace the tools that a
 * session of ours gives to Codex under that name.
 */
const lines = [
  '[mcp_servers.ralph-tui]',
  'command = "ralph-tui"',
  'args = ["mcp"]',
  'env_vars = ["RALPH_RUN"]',
] as const;

/** A table of that name, or a part of one. */
const anyTable = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?ralph-tui["']?[ \t]*[\].]/m;
/** Servers that are not written as tables: a table beside them would be an error of the file. */
const otherForm = /^[ \t]*mcp_servers[ \t]*(?:=|\.)/m;
const ours = new RegExp(
  `(?:^|\\r?\\n)${lines.map((line) => line.replaceAll(/[[\].]/g, '\\$&')).join('\\r?\\n')}(?=\\r?\\n|$)`,
);

/** Our server in the settings of Codex. */
export const codexEntry: Entry = {
  name: 'ralph-tui server',
  file: (cli) => join(codexHome(cli), 'config.toml'),
  add: (text) => {
    const given = text ?? '';
    if (anyTable.test(given)) return { ok: true, value: given };
    if (otherForm.test(given))
      return { ok: false, faults: [byHand('names its mcp_servers in another form than tables')] };
    const eol = given.includes('\r\n') ? '\r\n' : '\n';
    const end = given === '' || given.endsWith('\n') ? '' : eol;
    const blank = given.trim() === '' ? '' : eol;
    return { ok: true, value: `${given}${end}${blank}${lines.join(eol)}${eol}` };
  },
  remove: (text) => {
    if (!anyTable.test(text)) return { ok: true, value: text };
    // The empty line before it came with it.
    const left = text.replace(ours, '');
    if (left === text || anyTable.test(left))
      return {
        ok: false,
        faults: [byHand('has another [mcp_servers.ralph-tui] than the one that init writes')],
      };
    const rest = left.replace(/(\r?\n)\r?\n$/, '$1');
    return { ok: true, value: rest.trim() === '' ? null : rest };
  },
};

const byHand = (what: string): Fault => ({
  code: 'codex-settings',
  what,
  hint: 'edit it by hand; nothing was written',
});
