import type { SeededRandom } from '../../helpers/seeded-random.ts';

const states = [
  ...Array(7).fill('research-needed'),
  ...Array(5).fill('ready-for-plan'),
  ...Array(4).fill('backlog'),
  ...Array(2).fill('in-progress'),
  'plan-in-progress',
  'plan-in-review',
  'in-review',
  'done',
  'human-needed',
  'canceled',
] as const;

/** Another session that worked on an issue before. */
export const stranger = '260101-000000';

/** Issues of one group as files of the native tracker, by id: parents, blockers, cycles, edges to nothing, any sizes and states. The person points at the first. */
export const anyGroup = (random: SeededRandom, most: number | null): ReadonlyMap<string, string> => {
  const count = Math.min(1 + random.int(5), most ?? 5);
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  return new Map(
    ids.map((id, index) => {
      const isLocked = random.chance(0.05);
      const state = isLocked
        ? random.pick(['research-in-progress', 'plan-in-progress'])
        : random.pick(states);
      const earlier = ids.slice(0, index);
      const isChild = index > 0 && random.chance(0.6);
      const blockers = [
        ...earlier.filter((each) => (isChild ? each !== '1' && random.chance(0.3) : each === '1')),
        ...(random.chance(0.03) ? ['99'] : []),
        ...(random.chance(0.04) ? ids.slice(index + 1, index + 2) : []),
      ];
      const matter = [
        `title: Issue ${id}`,
        `state: ${index === 0 ? random.pick(['research-needed', 'backlog', 'ready-for-plan']) : state}`,
        ...(random.chance(0.08) ? [`estimate: ${random.pick(['M', 'L'])}`] : []),
        ...(isChild ? ['parent: "1"'] : []),
        ...(blockers.length > 0 ? [`blockedBy: [${blockers.map((each) => `"${each}"`).join(', ')}]`] : []),
        ...(isLocked && index > 0
          ? [`lock: {holder: {machine: here, workspace: /work, session: ${stranger}}, since: ""}`]
          : []),
      ];
      return [id, `---\n${matter.join('\n')}\n---\nThe body of ${id}.\n`] as const;
    }),
  );
};
