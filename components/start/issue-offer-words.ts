import { count } from '../../src/words/local-time.ts';
import type { IssueOffer } from './start-list.ts';

/** The title of an offered issue, and how many others come with it. */
export const issueOfferWords = ({ title, more }: IssueOffer): string =>
  more === 0 ? title : `${title} · and ${count(more, 'more issue')} in its group`;
