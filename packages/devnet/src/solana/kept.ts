import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Ledger, LedgerRecord } from './ledger.ts';
import { State } from './machine/state.ts';

/** Goes up when what is kept cannot be read by an earlier version, or the other way round. */
const form = 1;

const fileIn = (folder: string): string => join(folder, 'chain.bin');

/** Writes the chain; whoever reads meanwhile gets the whole old one or the whole new one. */
export const keep = (folder: string, ledger: Ledger): void => {
  mkdirSync(folder, { recursive: true });
  const file = fileIn(folder);
  writeFileSync(`${file}.new`, serialize({ form, accounts: ledger.state.svm.toBytes(), record: ledger.record() }));
  renameSync(`${file}.new`, file);
};

/** The chain that the folder keeps; null without one. One that is unreadable is put aside. */
export const keptIn = (folder: string, log: (line: string) => void): { state: State; record: LedgerRecord } | null => {
  if (!existsSync(fileIn(folder))) return null;
  try {
    const kept = deserialize(readFileSync(fileIn(folder))) as {
      form: number;
      accounts: Uint8Array;
      record: LedgerRecord;
    };
    if (kept.form !== form) throw new Error('Another version wrote it.');
    return { state: State.fromBytes(kept.accounts), record: kept.record };
  } catch (error) {
    const aside = `${folder}.previous`;
    log(`The Solana chain starts anew: ${(error as Error).message} The old one is kept as ${aside}.`);
    rmSync(aside, { recursive: true, force: true });
    renameSync(folder, aside);
    return null;
  }
};
