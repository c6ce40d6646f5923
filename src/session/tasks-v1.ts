import { parseDependencies } from '../tasks/dependencies.ts';
import { bare, splitLines } from '../tasks/sections.ts';
import { bareTask, type TaskDefinition, taskIdSchema } from '../tasks/task.ts';

/**
 * The single `tasks.md` of Ralph v1: a bullet `- task-1: title` per task with `**Type**`, `**Files**`, `**Objective**` and `**Success Criteria**`
 * under it. "(depends on task-0)" is in the type or as `**Dependencies**`. Planning entries (`qa-…`, `plan-…`) are not tasks.
 */
export const parseTasksV1 = (text: string): readonly TaskDefinition[] => {
  const tasks: TaskDefinition[] = [];
  let block: { readonly id: string; readonly title: string; readonly lines: string[] } | null = null;
  const close = (): void => {
    if (block !== null) tasks.push(toTask(block.id, block.title, block.lines));
    block = null;
  };
  for (const line of splitLines(text).map(bare)) {
    const start =
      /^(?:[-*]\s+|#{3,4}\s+)(?:\[[^\]]\]\s+)?\*{0,2}([A-Za-z][\w.-]*)\*{0,2}\s*:\*{0,2}\s*(.*)$/.exec(line);
    const id = start?.[1] ?? '';
    if (start && /\d/.test(id) && !/^(?:qa|plan)-/.test(id) && taskIdSchema.safeParse(id).success) {
      close();
      block = { id, title: (start[2] ?? '').replace(/[✅❌⏳]/gu, '').trim(), lines: [] };
    } else if (/^#{1,2}\s/.test(line)) close();
    else block?.lines.push(line);
  }
  close();
  return tasks;
};

const toTask = (id: string, title: string, lines: readonly string[]): TaskDefinition => {
  const fields = fieldsOf(lines);
  const type = fields.get('type')?.[0] ?? '';
  const inType = /depends on:?\s*([^)]*)/i.exec(type)?.[1] ?? '';
  const written = fields.get('dependencies') ?? fields.get('depends_on') ?? fields.get('depends on') ?? [];
  const section = `depends_on: ${inType}\n${written.map((entry, index) => (index === 0 ? `depends_on: ${entry}` : `- ${entry}`)).join('\n')}`;
  return {
    ...bareTask(id, 1),
    title: title === '' ? id : title,
    objective: (fields.get('objective') ?? []).join('\n').trim(),
    blockedBy: parseDependencies(section, {}, 'tasks.md').value.blockedBy,
    files: (fields.get('files') ?? [])
      .flatMap((entry) => entry.replaceAll(/[[\]`]/g, '').split(','))
      .map((file) => file.trim())
      .filter((file) => file !== ''),
    criteria: (fields.get('success criteria') ?? [])
      .map((it) => it.replace(/^\[[ \w/-]\]\s+/, ''))
      .filter((it) => it !== ''),
    type: /^seq/i.test(type) ? 'Sequential' : 'Parallelizable',
  };
};

/** `**Name**: value` with the bullets below it. The first entry is the value on the line itself. */
const fieldsOf = (lines: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const fields = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const line of lines) {
    const field =
      /^\s+[-*]\s+\*{2}([A-Za-z_][A-Za-z_ ]*?)\*{2}\s*:\s*(.*)$/.exec(line) ??
      /^\s+[-*]\s+\*{2}([A-Za-z_][A-Za-z_ ]*?):\*{2}\s*(.*)$/.exec(line);
    if (field) {
      current = [(field[2] ?? '').trim()];
      fields.set((field[1] ?? '').toLowerCase(), current);
    } else {
      const bullet = /^\s+[-*]\s+(.*)$/.exec(line);
      if (bullet && current !== null) current.push((bullet[1] ?? '').trim());
    }
  }
  return fields;
};
