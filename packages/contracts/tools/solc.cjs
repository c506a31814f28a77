#!/usr/bin/env node
'use strict';
// forge runs this as its `solc`: the compiler from npm behind the two options that forge uses.
const fs = require('node:fs');
const path = require('node:path');

const version = require('solc/package.json').version;
const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : '');

/**
 * The compiler asks its table of functions at every call that may throw, which took a quarter of its time: what was asked once is
 * answered from memory, until it is set anew.
 */
const keepEntries = () => {
  const { get, set } = WebAssembly.Table.prototype;
  const entries = []; // it has one table
  WebAssembly.Table.prototype.get = function (index) {
    const known = entries[index];
    if (known) return known;
    entries[index] = get.call(this, index);
    return entries[index];
  };
  WebAssembly.Table.prototype.set = function (index, ...value) {
    entries[index] = undefined;
    set.call(this, index, ...value);
  };
};

if (args.includes('--version')) {
  // Answered without loading the 10 MB wasm: forge asks at every start.
  console.log(
    `solc, the solidity compiler commandline interface\nVersion: ${version}+commit.00000000.Emscripten.clang`,
  );
} else if (args.includes('--standard-json')) {
  const readImport = (file) => {
    for (const candidate of [file, path.join(option('--base-path'), file)])
      if (fs.existsSync(candidate)) return { contents: fs.readFileSync(candidate, 'utf8') };
    return { error: `not found: ${file}` };
  };
  keepEntries();
  const output = Buffer.from(require('solc').compile(fs.readFileSync(0, 'utf8'), { import: readImport }));
  for (let sent = 0; sent < output.length; ) {
    try {
      sent += fs.writeSync(1, output, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
} else {
  console.error('tools/solc.cjs answers --version and --standard-json only');
  process.exit(2);
}
