import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { estimateNamed } from '../../issues/issue.ts';
import { parseFrontMatter } from '../../tasks/front-matter.ts';
import { type DocumentName, type DocumentSchema, documentSchemas } from './document-schema.ts';
import { sectionsOf } from './idea.ts';

/** Whether a `file:line` of the repository exists. */
export type HasLine = (path: string, line: number) => boolean;

/** What a document misses by its schema, each as a sentence for its author; empty for a good one. */
export const checkDocument = (name: DocumentName, text: string, hasLine: HasLine): readonly string[] => {
  const schema: DocumentSchema = documentSchemas[name];
  const { value, problems } = parseFrontMatter(text, 'front matter');
  const sections = sectionsOf(value.body);
  return [
    ...problems.map(formatFault),
    ...matterProblems(schema, value.data),
    ...(/^#[ \t]+\S/m.test(value.body) ? [] : ['It has no title: begin the text with "# Title".']),
    ...schema.sections.flatMap((heading) => sectionProblem(heading, sections.get(heading))),
    ...(schema.phases ? phaseProblems(sections) : []),
    ...referenceProblems(schema, sections, hasLine),
    ...(name === 'issue' ? issueProblems(value.data) : []),
    ...(schema.noQuestions ? openQuestions(value.body, sections) : []),
  ];
};

/** The kind of a document that a skill hands in. Instead of an issue it may hand in a better version of the idea. */
export const documentIn = (wanted: DocumentName, text: string): DocumentName =>
  wanted === 'issue' &&
  parseFrontMatter(text, 'front matter').value.data['type'] === documentSchemas.idea.type
    ? 'idea'
    : wanted;

const matterProblems = (
  { type, statuses, keys }: DocumentSchema,
  data: Readonly<Record<string, unknown>>,
): readonly string[] => [
  ...(/^\d{4}-\d\d-\d\d$/.test(String(data['date'] ?? ''))
    ? []
    : ['date must be a day, written YYYY-MM-DD.']),
  ...(data['type'] === type ? [] : [`type must be ${type}.`]),
  ...(statuses.some((each) => each === data['status']) ? [] : [`status must be ${statuses.join(' or ')}.`]),
  ...keys.filter((key) => !(key in data)).map((key) => `${key} is missing from the front matter.`),
];

const issueProblems = (data: Readonly<Record<string, unknown>>): readonly string[] =>
  'estimate' in data && estimateNamed(String(data['estimate'])) === null
    ? ['estimate must be XS, S, M, L or XL.']
    : [];

const sectionProblem = (heading: string, text: string | undefined): readonly string[] => {
  if (text === undefined) return [`The section "## ${heading}" is missing.`];
  return text === '' ? [`The section "## ${heading}" is empty.`] : [];
};

/** The phases of a plan, in order. */
const phasesIn = (sections: ReadonlyMap<string, string>): readonly (readonly [string, string])[] =>
  [...sections].filter(([heading]) => /^Phase \d+\b/.test(heading));

const phaseProblems = (sections: ReadonlyMap<string, string>): readonly string[] => {
  const phases = phasesIn(sections);
  if (phases.length === 0) return ['It has no phase: write "## Phase 1: …".'];
  return phases.flatMap(([heading, text]) => [
    ...(/automated/i.test(text) ? [] : [`"${safe(heading)}" lists no automated criteria.`]),
    ...(/manual/i.test(text) ? [] : [`"${safe(heading)}" lists no manual criteria.`]),
  ]);
};

const mostReferences = 500;

const referenceProblems = (
  { references }: DocumentSchema,
  sections: ReadonlyMap<string, string>,
  hasLine: HasLine,
): readonly string[] => {
  if (references === null) return [];
  const text = sections.get(references) ?? '';
  const named = [...text.matchAll(/([\w@.\-/]*[\w-]\.[A-Za-z]\w{0,9}):(\d{1,7})/g)].slice(0, mostReferences);
  if (text !== '' && named.length === 0) return [`"## ${references}" contains no file:line.`];
  return named.flatMap(([whole, path = '', line = '']) =>
    hasLine(path, Number(line)) ? [] : [`${safe(whole)} does not exist.`],
  );
};

const openQuestions = (body: string, sections: ReadonlyMap<string, string>): readonly string[] => {
  const open = (sections.get('Open Questions') ?? '').replace(
    /^(?:[-*]\s*)?(?:none|nothing)(?: yet)?\.?$/i,
    '',
  );
  return open !== '' || /\b(?:TBD|TODO|to be decided)\b/.test(body)
    ? ['It has an open question: settle it, or ask for an answer.']
    : [];
};
