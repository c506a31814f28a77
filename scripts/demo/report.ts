/** What the demo prints, and the count of what is wrong. */
export interface Report {
  title(text: string): void;
  line(text: string): void;
  /** A statement that must hold. Both sides are shown when it does not. */
  check<T extends bigint | number | string | boolean>(what: string, expected: T, actual: T): void;
  /** Everything that did not hold. */
  wrong: readonly string[];
  checks(): number;
}

export const createReport = (): Report => {
  const wrong: string[] = [];
  let checks = 0;
  return {
    wrong,
    checks: () => checks,
    title: (text) => console.log(`\n${text}`),
    line: (text) => console.log(`  ${text}`),
    check(what, expected, actual) {
      checks += 1;
      if (expected === actual) return;
      wrong.push(`${what}: expected ${expected}, but it is ${actual}`);
      console.log(`  ✗ ${wrong.at(-1)}`);
    },
  };
};

/** `1234567.8` as `1,234,567.8`, cut to `digits` after the point. */
export const short = (decimalText: string, digits = 2): string => {
  const [whole = '0', fraction = ''] = decimalText.split('.');
  const cut = fraction.slice(0, digits).replace(/0+$/, '');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (cut === '' ? '' : `.${cut}`);
};
