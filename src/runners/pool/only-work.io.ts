import type { Fault } from '../../base/fault.ts';
import type { OpenAsked } from '../serve/serving.ts';
import type { Work } from './job.io.ts';
import { digestOf } from './keys.io.ts';

/** Lets a link open exactly the invocation that its job was signed for; `null`: none. */
export const onlyWork =
  (work: Work | null) =>
  ({ brief, repository, base }: OpenAsked): Fault | null => {
    const isSame =
      work !== null &&
      brief.session === work.session &&
      brief.invocation === work.invocation &&
      repository === work.repository &&
      base === work.base &&
      digestOf(JSON.stringify(brief)) === work.brief;
    return isSame
      ? null
      : { code: 'pool-other-work', what: 'this is not the work that the job was signed for' };
  };
