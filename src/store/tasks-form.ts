/** How the tasks are shown, in the order of the key that turns it. */
export const tasksForms = ['waves', 'graph', 'list'] as const;
export type TasksForm = (typeof tasksForms)[number];

/** Panes that the third column of a wide screen can show. */
export const thirdPanes = ['details', 'timeline'] as const;
export type ThirdPane = (typeof thirdPanes)[number];
