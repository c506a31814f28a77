/**
 * Lengths in seconds of the windows that end at the newest indexed block of a chain, by the word that columns end with: what
 * changed within them is kept of each token.
 */
export const changeWindows = { '5m': 300, '1h': 3_600, '6h': 21_600, '24h': 86_400 } as const;

/** Those whose volume is kept. */
export const volumeWindows = { '1m': 60, ...changeWindows } as const;

type VolumeWindow = keyof typeof volumeWindows;

/** A column for each window: `figure_5m`, `figure_1h` and so on. */
export const ofEach = <Window extends VolumeWindow, Figure extends string, Column>(
  windows: Readonly<Record<Window, number>>,
  figure: Figure,
  column: Column,
) =>
  Object.fromEntries(Object.keys(windows).map((window) => [`${figure}_${window}`, column])) as Record<
    `${Figure}_${Window}`,
    Column
  >;
