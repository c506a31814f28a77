#!/usr/bin/env node
/**
 * What rustc calls as its linker: packs the one object that it has compiled. Everything else that it names is left alone: libraries
 * are in the object already, and a program that would need more of them has an undefined symbol.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pack } from './pack.ts';

/** @throws When there is not exactly one object, or when it cannot be packed. */
export const link = (args: readonly string[]): void => {
  const objects = args.filter((arg) => arg.endsWith('.o'));
  const [object] = objects;
  if (object === undefined || objects.length > 1)
    throw new Error(`${objects.length} objects are to be linked, not one: compile with -C lto=fat -C codegen-units=1.`);
  const output = args[args.indexOf('-o') + 1];
  if (!args.includes('-o') || output === undefined)
    throw new Error('Where the program is to be written (-o) is not said.');
  writeFileSync(output, pack(readFileSync(object)));
};

if (import.meta.main) {
  try {
    link(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
