// Loaded before the program (`node --require`): notes every path that a call of `node:fs` gets, whatever the call does with it, in the file that
// TOUCHED_PATHS names.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { writeSync } = fs;
const trace = fs.openSync(process.env.TOUCHED_PATHS, 'a');
const watch = (functions) => {
  for (const [name, call] of Object.entries(functions)) {
    if (typeof call !== 'function' || /^[A-Z]/.test(name)) continue;
    const watched = function (...args) {
      for (const path of args.slice(0, 2))
        if (typeof path === 'string' || path instanceof URL || Buffer.isBuffer(path))
          if (String(path).startsWith('/') || path instanceof URL)
            writeSync(trace, `${name} ${JSON.stringify(String(path))}\n`);
      return call.apply(this, args);
    };
    functions[name] = Object.assign(watched, call);
  }
};
watch(fs.promises);
watch(fs);
syncBuiltinESMExports();
