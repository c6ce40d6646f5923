/** Editors by the name of their program, and how each takes a file with a line. */
const forms: readonly (readonly [RegExp, (file: string, line: number) => readonly string[]])[] = [
  [
    /^(?:n?vim?|vimx?|ex|view|nano|pico|emacs|emacsclient|mg|micro|kak|joe|jed|ne|less)$/,
    (file, line) => [`+${line}`, file],
  ],
  [/^(?:code|code-insiders|codium|cursor|windsurf)$/, (file, line) => ['--goto', `${file}:${line}`]],
  [/^(?:hx|helix|zed|subl|sublime_text|atom)$/, (file, line) => [`${file}:${line}`]],
];

/**
 * The arguments that open `file` at `line` in `editor`, a command as `$EDITOR` holds it: "code --wait". An editor that is not known gets the file
 * alone, because `+12` would be a file to it.
 */
export const editorArguments = (editor: string, file: string, line: number): readonly string[] => {
  const program = editor.trim().split(/\s+/)[0]?.split('/').at(-1) ?? '';
  return forms.find(([name]) => name.test(program))?.[1](file, line) ?? [file];
};
