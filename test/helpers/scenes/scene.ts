import { openScreen, type ScreenOptions, type TestScreen } from '../screen.tsx';
import type { Story } from '../story.ts';

/** The screen in one situation that its golden frames show. */
export interface Scene {
  readonly name: string;
  readonly story?: () => Story;
  readonly options?: Omit<ScreenOptions, 'story' | 'columns' | 'rows'>;
  /** Text of files that it shows beside those of its story and its previews. */
  readonly foreign?: string;
  /** What a person did until it looked like this. */
  readonly act?: (screen: TestScreen) => Promise<void>;
}

/** The scene on a terminal of that size; the theme in place of its own. */
export const openScene = async (
  scene: Scene,
  where: Pick<ScreenOptions, 'columns' | 'rows' | 'theme'>,
): Promise<TestScreen> => {
  const theme = { ...scene.options?.theme, ...where.theme };
  const screen = await openScreen({
    ...scene.options,
    ...where,
    theme,
    ...(scene.story ? { story: scene.story() } : {}),
  });
  await scene.act?.(screen);
  return screen;
};

/** The sizes that every scene has a golden frame of. */
export const goldenSizes = [
  [80, 24],
  [120, 36],
] as const;

/** The narrowest screen that is promised, and one with room for three columns. */
export const extremeSizes = [
  [60, 20],
  [200, 50],
] as const;
