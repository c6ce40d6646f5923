/** How the terminal can draw: decided once by the cli from flags, configuration and environment. */
export interface ThemeOptions {
  /** `none`: NO_COLOR, shapes and words only. */
  readonly colours: 'none' | '16' | '256' | 'true';
  readonly ascii: boolean;
  readonly background: 'dark' | 'light';
}
