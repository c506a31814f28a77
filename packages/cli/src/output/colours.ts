import colours from 'picocolors';

const { env, stdout, stderr } = process;

/** `FORCE_COLOR` and `NO_COLOR` as everywhere, else only on a terminal; not in a log, which `CI` would colour. */
const isWanted = ({ isTTY }: { isTTY?: boolean }): boolean => {
  if (env.NO_COLOR) return false;
  return env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTTY === true && env.TERM !== 'dumb';
};

/** For answers. */
export const onOutput = colours.createColors(isWanted(stdout));
/** For what is said beside them. */
export const onError = colours.createColors(isWanted(stderr));
