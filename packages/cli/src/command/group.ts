import type { Command } from 'commander';
import { addGlobals } from './globals.ts';

export type Configure = (command: Command) => void;

/** Commands below one name. */
export const group =
  (inner: Readonly<Record<string, readonly [summary: string, configure: Configure]>>): Configure =>
  (command) => {
    for (const [name, [summary, configure]] of Object.entries(inner)) {
      const one = addGlobals(command.command(name).summary(summary).description(summary));
      configure(one);
    }
  };
