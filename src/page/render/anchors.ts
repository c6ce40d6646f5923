/** Fragments of the page. They hold numbers alone: ids of tasks and names of files come from outside. */
export const taskAnchor = (index: number): string => `task-${index + 1}`;
