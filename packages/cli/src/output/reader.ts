let isNeeded = true;

/** From here on the command goes on to its end, whoever reads what it prints: its exit code says what became of the money. */
export const goOnUnread = (): void => {
  isNeeded = false;
};

/** Who reads only the first lines of an answer, as `head` does, is no error: there is nothing left to do then. */
export const endUnread = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
  if (isNeeded) process.exit(0);
};
