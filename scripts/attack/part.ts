/** One line of the table. */
export interface Finding {
  what: string;
  figure: string;
  bound: string;
  /** Null where this machine cannot show it; the figure says why. */
  pass: boolean | null;
}

export interface AttackOptions {
  /** Of the fuzz. */
  requests: number;
  /** Of the fuzz: the number of the first request. */
  from: number;
  seed: number;
  /** How long whatever has no other end goes on. */
  seconds: number;
  /** Of the slow clients. */
  connections: number;
  find(finding: Finding): void;
  tell(line: string): void;
}

/** Starts what it needs, attacks it, judges, and leaves nothing behind. */
export type Part = (options: AttackOptions) => Promise<void>;

/** A figure with an upper bound. */
export const atMost = (what: string, figure: number, bound: number, unit = ''): Finding => ({
  what,
  figure: `${short(figure)}${unit}`,
  bound: `≤ ${short(bound)}${unit}`,
  pass: figure <= bound,
});

export const none = (what: string, figure: number): Finding => atMost(what, figure, 0);

const short = (figure: number): string => String(Number(figure.toFixed(1)));
