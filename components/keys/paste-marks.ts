/** Whether the terminal marks pastes. Where it does, unmarked keys were pressed, however many arrive in one read. */
export interface PasteMarks {
  readonly isMarking: () => boolean;
  /** The terminal said so, or a marked paste has arrived. */
  readonly sawMarked: () => void;
}

/** A terminal that has not said so yet: its first marked paste does. */
export const createPasteMarks = (): PasteMarks => {
  let marking = false;
  return {
    isMarking: () => marking,
    sawMarked: () => {
      marking = true;
    },
  };
};
