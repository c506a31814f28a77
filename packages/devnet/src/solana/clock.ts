/** The time of the chain, which its blocks carry in whole seconds. */
export interface Time {
  /** One slot more. */
  pass(): void;
  readonly seconds: number;
  /** Jumps; also back, but no block is older than the one before it. */
  set(seconds: number): void;
}

/** That of this computer, moved when told to. */
export const wallTime = (): Time => {
  let offset = 0;
  const now = (): number => (Date.now() + offset) / 1000;
  return {
    pass() {},
    get seconds() {
      return Math.floor(now());
    },
    set(seconds) {
      offset += (seconds - now()) * 1000;
    },
  };
};

/** Moves by slots only. @param from - Unix seconds. */
export const slotTime = (from: number, slotMs: number): Time => {
  let now = from * 1000;
  return {
    pass() {
      now += slotMs;
    },
    get seconds() {
      return Math.floor(now / 1000);
    },
    set(seconds) {
      now = seconds * 1000;
    },
  };
};
