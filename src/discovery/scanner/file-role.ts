import { pathGlob } from '../../base/glob.ts';
import type { Severity } from '../records/finding.ts';

/** The purpose of a file. The first matching row decides. */
export type FileRole = 'generated' | 'fixture' | 'test' | 'doc' | 'script' | 'config' | 'code';

const table: readonly (readonly [FileRole, readonly string[]])[] = [
  [
    'generated',
    [
      '**/{dist,build,out,node_modules,vendor,third_party,__pycache__,.next,site-packages}/**',
      '*.{min.js,min.css,map,lock,snap,pb.go,pyc,lockb}',
      '{package-lock.json,npm-shrinkwrap.json,pnpm-lock.yaml,go.sum,yarn.lock}',
      '*_pb2.py',
      '*.generated.*',
    ],
  ],
  [
    'fixture',
    [
      '**/{fixtures,fixture,__fixtures__,testdata,test-data,test_data,snapshots,__snapshots__,golden,mocks,__mocks__,cassettes}/**',
      '*.{golden,snapshot}',
    ],
  ],
  [
    'test',
    [
      '**/{test,tests,__tests__,spec,specs,e2e,testing}/**',
      '*.{test,spec}.*',
      'test_*.*',
      '*_test.*',
      '*{Test,Tests}.*',
      'conftest.*',
    ],
  ],
  [
    'doc',
    [
      '**/{doc,docs,documentation,examples,example}/**',
      '*.{md,mdx,markdown,rst,adoc,txt,org,tex,ipynb}',
      '{README,CHANGELOG,CHANGES,LICENSE,LICENCE,COPYING,NOTICE,AUTHORS,CONTRIBUTORS,HISTORY,NEWS,TODO}',
    ],
  ],
  [
    'script',
    [
      '**/{script,scripts,bin,tools,hack,ci,.github,.circleci}/**',
      '*.{sh,bash,zsh,fish,ps1,bat,cmd,mk}',
      '{Makefile,makefile,GNUmakefile,Justfile,justfile,Rakefile,Dockerfile,Jenkinsfile,Vagrantfile}',
      'Dockerfile.*',
    ],
  ],
  [
    'config',
    [
      '*.{json,jsonc,json5,yaml,yml,toml,ini,cfg,conf,config,properties,env,xml,plist,tf,tfvars,nix,service,code-workspace}',
      '{.env,.env.*,.npmrc,.editorconfig,.gitconfig,.gitmodules,.envrc,.tool-versions}',
      '{.vscode,.idea,.claude,.gemini,.codex,.devcontainer}/**',
      '*.config.*',
    ],
  ],
];

const compiled = table.map(([role, globs]) => [role, globs.map(pathGlob)] as const);

/** A file's role, by its relative path. */
export const fileRole = (path: string): FileRole =>
  compiled.find(([, globs]) => globs.some((glob) => glob.test(path)))?.[0] ?? 'code';

/** The severity of a brittle line in a file of this role (src/discovery/README.md, `hardcoded_path`). */
export const roleSeverity = (role: FileRole): Severity =>
  role === 'config' || role === 'code' ? 'high' : role === 'script' ? 'medium' : 'low';

/** Roles whose findings are listed only with `--all-roles`. */
export const isQuietRole = (role: FileRole): boolean =>
  role === 'doc' || role === 'fixture' || role === 'generated';
