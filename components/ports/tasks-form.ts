/** How the tasks are shown, in the order of the key that turns it. `waves`: by issue in a flow, whose waves are `levels`. */
export const tasksForms = ['waves', 'levels', 'graph', 'list'] as const;
export type TasksForm = (typeof tasksForms)[number];

/** The form that a person chose. `null`: drawn where the whole graph fits, else in waves. */
export type ChosenForm = TasksForm | null;

/** The form after this one. Only a flow groups its tasks in two ways. */
export const nextTasksForm = (as: TasksForm, isFlow: boolean): TasksForm => {
  const forms = tasksForms.filter((form) => isFlow || form !== 'levels');
  return forms[(forms.indexOf(as) + 1) % forms.length] ?? 'waves';
};

/** The name of a form for a person. */
export const tasksFormName = (as: TasksForm, isFlow: boolean): string =>
  as !== 'waves' ? as : isFlow ? 'issues' : 'levels';

/** Panes that the third column of a wide screen can show. */
export const thirdPanes = ['details', 'timeline'] as const;
export type ThirdPane = (typeof thirdPanes)[number];
