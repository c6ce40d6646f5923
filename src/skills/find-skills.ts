import { join } from 'node:path';
import { realPath } from '../agents/real-path.ts';
import type { Disk } from '../base/disk.ts';
import { namesIn } from '../base/names-in.ts';
import { type ReadSkill, readSkill } from './read-skill.ts';
import { error } from './skill-problem.ts';

/** The folders of skills, the strongest first: a skill shadows those of its name in later places. */
export const skillFolders = ['.ralph/skills', '.agents/skills', '.claude/skills'] as const;

/** Who a skill comes from. Only one of the repository needs a person's yes. */
type SkillOrigin = 'repository' | 'home' | 'ours';

export interface FoundSkill extends ReadSkill {
  readonly name: string;
  readonly origin: SkillOrigin;
  /** Absolute. */
  readonly folder: string;
  /** For people: relative to the repository, `~/.agents/skills/x`, or `ours`. */
  readonly shown: string;
  /** The skills that it takes precedence over, for people; empty for most. */
  readonly shadows: readonly string[];
}

export interface SkillPlaces {
  /** Absolute. */
  readonly workspace: string;
  /** Absolute; `null` without one. */
  readonly home: string | null;
  /** The folder of our own skills, absolute. */
  readonly ours: string;
}

/**
 * Every skill that can be seen from a workspace, by name. A phase of ours, which works alone, is shadowed only from `.ralph/skills`: a `review` of
 * another program means something else. Refused folders are in the list with their problems and shadow nothing.
 */
export const findSkills = (disk: Disk, places: SkillPlaces): readonly FoundSkill[] => {
  const all = candidates(disk, places);
  const ours = new Map(all.filter(({ origin }) => origin === 'ours').map((each) => [each.name, each]));
  const mayStand = ({ name, origin, shown }: FoundSkill): boolean =>
    origin === 'ours' || ours.get(name)?.skill?.context !== 'fork' || /(?:^|\/)\.ralph\//.test(shown);
  const used = all.filter((each) => each.skill !== null && mayStand(each));
  const first = used.filter((each) => used.find(({ name }) => name === each.name) === each);
  const refused = all.filter(({ skill }) => skill === null);
  return [
    ...first.map((each) => ({
      ...each,
      shadows: used.filter((other) => other !== each && other.name === each.name).map(({ shown }) => shown),
    })),
    ...refused,
  ].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
};

/** The skill of this name that counts, by the same rules; `null` without one. `skip` leaves out what nobody accepted. */
export const findSkill = (
  disk: Disk,
  places: SkillPlaces,
  name: string,
  skip: (skill: FoundSkill) => boolean = () => false,
): FoundSkill | null => {
  const isOurPhase = readSkill(disk, join(places.ours, name), name).skill?.context === 'fork';
  const roots = rootsOf(places).filter(
    ({ origin, root }) => !isOurPhase || origin === 'ours' || root.endsWith('/.ralph/skills'),
  );
  for (const root of roots) {
    const found = disk.lstat(join(root.root, name)) === null ? null : skillAt(disk, root, name);
    if (found?.skill && !skip(found)) return found;
  }
  return null;
};

/** The refused skills of the same name in stronger places, of all that can be seen: they would count if they could be used. */
export const refusedInFrontOf = (all: readonly FoundSkill[], skill: FoundSkill): readonly FoundSkill[] =>
  all.filter(
    (each) => each.name === skill.name && each.skill === null && strengthOf(each) < strengthOf(skill),
  );

/** Smaller is stronger: first by whose place it is, then by the folder. */
const strengthOf = ({ origin, shown }: FoundSkill): number =>
  ['repository', 'home', 'ours'].indexOf(origin) * skillFolders.length +
  Math.max(
    0,
    skillFolders.findIndex((folder) => shown.includes(`${folder}/`)),
  );

interface Root {
  readonly origin: SkillOrigin;
  readonly root: string;
  readonly shown: string;
  /** What a link in the root may lead into. */
  readonly within: string;
}

const rootsOf = ({ workspace, home, ours }: SkillPlaces): readonly Root[] => [
  ...skillFolders.map(
    (folder): Root => ({
      origin: 'repository',
      root: join(workspace, folder),
      shown: folder,
      within: workspace,
    }),
  ),
  ...skillFolders.flatMap((folder): readonly Root[] =>
    home === null || home === workspace
      ? []
      : [{ origin: 'home', root: join(home, folder), shown: `~/${folder}`, within: home }],
  ),
  { origin: 'ours', root: ours, shown: 'ours', within: ours },
];

const candidates = (disk: Disk, places: SkillPlaces): readonly FoundSkill[] =>
  rootsOf(places).flatMap((root) =>
    namesIn(disk, root.root)
      .filter((name) => !name.startsWith('.') && disk.lstat(join(root.root, name))?.kind !== 'file')
      .map((name) => skillAt(disk, root, name)),
  );

const skillAt = (disk: Disk, { root, origin, shown, within }: Root, name: string): FoundSkill => {
  const folder = join(root, name);
  const place = realPath(disk, folder);
  const common = { name, origin, shown: origin === 'ours' ? shown : `${shown}/${name}`, shadows: [] };
  const inside = realPath(disk, within);
  if (place !== null && inside !== null && place.startsWith(`${inside}/`))
    return { ...common, folder: place, ...readSkill(disk, place, name) };
  const problem = error(
    'skill-link',
    common.shown,
    'is a link to a folder elsewhere, and such links are not followed',
    'put the folder itself there',
  );
  return { ...common, folder, skill: null, files: [], sha256: '', problems: [problem] };
};
