import manifest from '../../package.json' with { type: 'json' };

/** The `version` of `package.json`, built into the bundle. */
export const version = manifest.version;
