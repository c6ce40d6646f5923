import { type CheckFinder, step } from './facts.ts';

/** A Rust package or workspace. */
export const cargo: CheckFinder = {
  name: 'Cargo.toml',
  find: ({ names, texts }) => {
    if (!texts.has('Cargo.toml')) return [];
    const locked = names.has('Cargo.lock') ? ['--locked'] : [];
    const formatted = names.has('rustfmt.toml') || names.has('.rustfmt.toml');
    const clippy =
      names.has('clippy.toml') ||
      names.has('.clippy.toml') ||
      /\[(?:workspace\.)?lints/.test(texts.get('Cargo.toml') ?? '');
    return [
      ...(locked.length > 0 ? [step('install', 'cargo', ['cargo', 'fetch', '--locked'])] : []),
      ...(clippy
        ? [step('lint', 'cargo', ['cargo', 'clippy', ...locked, '--all-targets'])]
        : formatted
          ? [step('lint', 'cargo', ['cargo', 'fmt', '--check'])]
          : []),
      step('build', 'cargo', ['cargo', 'build', ...locked]),
      step('test', 'cargo', ['cargo', 'test', ...locked]),
    ];
  },
};
