/** One page of the site. Its text stands in a README: there is one place for each. */
export interface SitePage {
  /** Without `.md`. */
  readonly path: string;
  readonly title: string;
  /** The file in the repository. */
  readonly from: string;
  /** Its sections by their headings; `intro` is what stands before the first. Absent: the whole file. */
  readonly sections?: readonly string[];
  /** A block `<!-- NAME -->`, which is made from the sources of `ralph-tui help`. */
  readonly block?: string;
}

export interface SiteGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

const guide = (path: string, title: string, ...sections: readonly string[]): SitePage => ({
  path: `guide/${path}`,
  title,
  from: 'README.md',
  sections,
});

const reference = (block: string, title: string, from: string): SitePage => ({
  path: `reference/${block}`,
  title,
  from,
  block,
});

const protocol = (room: string, title: string): SitePage => ({
  path: `protocol/${room}`,
  title,
  from: `src/${room}/README.md`,
});

/** Every page, in the order of the sidebar. */
export const groups: readonly SiteGroup[] = [
  {
    title: 'Start',
    pages: [
      { path: 'index', title: 'ralph-tui', from: 'README.md', sections: ['intro', 'Start', 'Read on'] },
      guide('steer', 'Steer', 'Three things to try'),
      guide('plans', 'Plans', 'Plans'),
      guide('agents', 'Agents', 'Agents'),
      guide('issues', 'Issues, hero and team', 'Issues'),
      guide('loop', 'The loop', 'The loop'),
      guide('skills', 'Skills', 'Skills'),
      guide('machines', 'Other machines', 'Other machines'),
      guide('phone', 'From a phone, and exports', 'Share a session'),
      guide('scripts', 'Scripts and CI', 'Signals and files'),
      guide('configuration', 'Configuration', 'Configuration'),
      { path: 'guide/safety', title: 'Safety', from: 'README.md', sections: ['Safety'] },
      { path: 'guide/comparison', title: 'Comparison', from: '.github/COMPARISON.md' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      reference('commands', 'Commands', 'src/cli/README.md'),
      reference('keys', 'Keys', 'components/README.md'),
      reference('settings', 'Settings', 'src/session/README.md'),
      reference('agents', 'Agents', 'src/agents/README.md'),
      reference('outside', 'Plugins and hooks', 'src/agents/README.md'),
      reference('events', 'Events', 'src/engine/README.md'),
      { path: 'reference/security', title: 'Security', from: '.github/SECURITY.md' },
    ],
  },
  {
    title: 'Protocols',
    pages: [
      protocol('signals', 'The mailbox'),
      protocol('session', 'Sessions, plans and settings'),
      protocol('changes', 'Changes and undo'),
      protocol('agents', 'Agents'),
      protocol('issues', 'Issues and trackers'),
      protocol('engine', 'The engine'),
      protocol('runners', 'Runners'),
      protocol('serve', 'Serve'),
      protocol('discovery', 'Discovery and guidance'),
    ],
  },
];

export const pages: readonly SitePage[] = groups.flatMap((group) => group.pages);
