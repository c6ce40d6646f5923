import type { PromptName } from '../../agents/roles/prompts/mode-files.ts';
import { modeSchema } from '../../pipeline/events/fields.ts';
import { type Subcommand, usage } from '../cli.ts';

interface PromptOptions {
  readonly json?: boolean;
}

/** `ralph-tui prompt [ROLE] [MODE]`: prints an agent's prompt in a mode, with the schema of its answer. */
export const prompt: Subcommand = (program, cli) => {
  program
    .command('prompt')
    .description(
      'Print the prompt for a role and mode: Markdown with placeholders like {{task}} that the program fills in, and the schema of the answer. A copy in .ralph/prompts/ replaces the built-in one once it is trusted.',
    )
    .argument('[role]', 'planner, questioner, executor, reviewer or librarian; without one, lists all')
    .argument('[mode]', 'one of the modes of that role; optional if there is only one')
    .option('--json', 'print as JSON')
    .action(
      cli.does(async (role: string | undefined, mode: string | undefined, options: PromptOptions) => {
        const { roleOf } = await import('../../pipeline/slot.ts');
        const { contractOfMode, schemaText } = await import('../../agents/replies/contracts.ts');
        const { modeOfPrompt, promptFile } = await import('../../agents/roles/prompts/mode-files.ts');
        const { promptOf } = await import('../trust/own-prompts.ts');
        const { findWorkspace } = await import('../session/find-workspace.ts');
        const { createWorld } = await import('../world.ts');
        const names: readonly PromptName[] = [...modeSchema.options, 'TURN'];
        const rows = names.map((each) => ({
          role: roleOf[modeOfPrompt(each)],
          mode: each,
          file: promptFile(each),
        }));
        const asked = rows.filter(
          (row) =>
            row.role.toLowerCase() === role?.toLowerCase() &&
            (mode === undefined || row.mode.toLowerCase() === mode.toLowerCase()),
        );
        if (role === undefined) {
          if (options.json) cli.printJson(rows);
          else
            for (const row of rows)
              cli.print(`${row.role.padEnd(12)}${row.mode.padEnd(20)}${row.file ?? doneByCode}`);
          return 0;
        }
        const known = rows.filter((row) => row.role.toLowerCase() === role.toLowerCase());
        const [found, ...more] = asked.filter(
          (row) => mode !== undefined || (row.file !== null && row.mode !== 'TURN'),
        );
        if (!found || more.length > 0)
          throw usage(
            found
              ? `${found.role} has several modes`
              : `no prompt for ${[role, mode ?? ''].join(' ').trim()}`,
            `known: ${(known.length > 0 ? known : rows).map((row) => `${row.role.toLowerCase()} ${row.mode}`).join(', ')}`,
          );
        const contract = contractOfMode(modeOfPrompt(found.mode));
        const text = promptOf(cli.env, createWorld(), findWorkspace(cli.cwd), found.mode);
        if (!contract || !text) {
          if (options.json) cli.printJson({ ...found, text: null, schema: null });
          else cli.print(`${found.role} ${found.mode}: ${doneByCode}`);
          return 0;
        }
        const schema = schemaText(contract);
        if (text.untrusted !== null)
          cli.note(
            `ralph-tui: ${text.untrusted} is not trusted, so the built-in one is used; start a session in a terminal to review and accept it`,
          );
        if (options.json)
          cli.printJson({ ...found, source: text.file, text: text.text, schema: JSON.parse(schema) });
        else cli.print(`${text.text.trimEnd()}\n\n--- schema of the answer ---\n${schema}`);
        return 0;
      }),
    );
};

const doneByCode = 'done by the program itself, without an agent';
