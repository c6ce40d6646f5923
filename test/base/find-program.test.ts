import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { findProgram, isProgramThere } from '../../src/base/process/find-program.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('a folder of that name and a file that may not be run are no programs, as for a shell', () => {
  const top = tempDir();
  const [folder, plain, real] = ['folder', 'plain', 'real'].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(folder, 'agent'), { recursive: true });
  for (const [place, mode] of [
    [plain, 0o644],
    [real, 0o755],
  ] as const) {
    mkdirSync(place);
    writeFileSync(join(place, 'agent'), '#!/bin/sh\n', { mode });
  }
  symlinkSync(join(real, 'agent'), join(real, 'linked'));
  const find = (name: string, ...places: readonly string[]): string | null =>
    findProgram(name, '/workspace', { PATH: places.join(':') }, isProgramThere(createDisk()));
  expect(find('agent', folder, plain)).toBeNull();
  expect(find('agent', folder, plain, real)).toBe(join(real, 'agent'));
  expect(find('linked', real)).toBe(join(real, 'linked'));
});
