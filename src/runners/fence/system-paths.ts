/** Below `/proc`: what is about this machine. */
export interface ProcMasks {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  readonly readOnly: readonly string[];
}

/** The system's places as this machine has them: `/bin` is often a link into `/usr`. */
export interface SystemPlaces {
  readonly paths: readonly string[];
  readonly links: readonly { readonly file: string; readonly real: string }[];
}

const usr = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share', 'include', 'games'];

/** The programs of this system, read-only. Nothing else of the root exists inside: no home, no other repository, no /opt, /srv or /var. */
const systemPaths: readonly string[] = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'],
  ...usr.flatMap((name) => [`/usr/${name}`, `/usr/local/${name}`]),
];

/** `realOf`: where the links of a path end; `null` where it does not exist. */
export const systemPlaces = (realOf: (path: string) => string | null): SystemPlaces => {
  const found = systemPaths.flatMap((file) => {
    const real = realOf(file);
    return real === null ? [] : [{ file, real }];
  });
  const isLink = ({ file, real }: { readonly file: string; readonly real: string }): boolean =>
    file !== real && (isSystem(real) || systemPaths.includes(real));
  return {
    paths: found.filter((each) => !isLink(each)).map(({ file }) => file),
    links: found.filter(isLink),
  };
};

/** What programs need of `/etc`: where other programs and libraries are, how text is shown, which certificates count. */
const etc = [
  'alternatives',
  'bash.bashrc',
  'ca-certificates',
  'ca-certificates.conf',
  'debian_version',
  'fonts',
  'inputrc',
  'java-8-openjdk',
  'java-11-openjdk',
  'java-17-openjdk',
  'java-21-openjdk',
  'java-25-openjdk',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'locale.conf',
  'localtime',
  'login.defs',
  'magic',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'perl',
  'pki/ca-trust',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'pki/tls/openssl.cnf',
  'profile',
  'profile.d',
  'protocols',
  'redhat-release',
  'rpc',
  'services',
  'shells',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
  'terminfo',
  'timezone',
  'xml',
].map((name) => `/etc/${name}`);

/** The addresses of this machine's network are let in with the network alone. */
const networkFiles = ['gai.conf', 'host.conf', 'hosts', 'resolv.conf'].map((name) => `/etc/${name}`);

export const machineFiles = (hasNetwork: boolean): readonly string[] =>
  hasNetwork ? [...etc, ...networkFiles] : etc;

/** As containers cover `/proc`: settings of the kernel cannot be written, and what it says about this machine is not read. */
const proc: ProcMasks = {
  readOnly: ['bus', 'fs', 'irq', 'sys', 'sysrq-trigger'],
  directories: ['acpi', 'asound', 'scsi'],
  files: [
    ...['config.gz', 'interrupts', 'iomem', 'ioports', 'kallsyms', 'kcore', 'key-users', 'keys', 'kmsg'],
    ...['kpagecgroup', 'kpagecount', 'kpageflags', 'latency_stats', 'modules', 'mtrr', 'pagetypeinfo'],
    ...['sched_debug', 'slabinfo', 'timer_list', 'timer_stats', 'vmallocinfo'],
  ],
};

/** What of it this kernel has. */
export const procMasks = (isThere: (path: string) => boolean): ProcMasks => {
  const there = (names: readonly string[]): readonly string[] =>
    names.map((name) => `/proc/${name}`).filter(isThere);
  return {
    files: there(proc.files),
    directories: there(proc.directories),
    readOnly: there(proc.readOnly),
  };
};

/** Whether a fence shows this place anyway. */
export const isSystem = (path: string): boolean => systemPaths.some((each) => path.startsWith(`${each}/`));
