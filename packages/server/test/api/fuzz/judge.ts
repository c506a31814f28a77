/** What an answer says, as far as it is judged. */
export interface Answered {
  status: number;
  type: string;
  text: string;
}

/** An answer that should not have been given. */
export interface Fault {
  number: number;
  what: string;
  attempt: string;
  answer: string;
}

/**
 * 503 is an answer where something beside the service does not do its part, and only with these codes: a chain that does not
 * answer, and a service that has more to do than it can.
 */
const planned503: ReadonlySet<string> = new Set(['NETWORK_ERROR', 'SERVICE_UNAVAILABLE']);

/** Where an error of ours shows through: a stack, a file, a sentence of the database or of the language. */
const insides = [
  /(?:file:\/\/\/[^"\s]*|node:[\w/]+|\.[mc]?[jt]s):\d+(?::\d+)?/,
  /node_modules|packages\/\w+\/src\//,
  /invalid (?:byte sequence|input syntax)|syntax error at or near|violates \w+ constraint|does not exist at character/,
  /is not a function|Cannot (?:read|convert|set) (?:properties|object|undefined)|is not iterable/,
];

export const isPlanned503 = ({ status, text }: Answered): boolean =>
  status === 503 && planned503.has(/"code":"(\w+)"/.exec(text)?.[1] ?? '');

/** What is wrong with an answer, whatever was asked; null when nothing is. */
export const faultOf = (answer: Answered, secrets: readonly string[]): string | null => {
  const { status, type, text } = answer;
  if (status >= 500 && !isPlanned503(answer)) return `status ${status}`;
  if (/"code":(?:"INTERNAL_ERROR"|"OUTCOME_UNKNOWN"|-32603)/.test(text.replaceAll('\\"', '"')))
    return 'an error of ours';
  if (secrets.some((secret) => text.includes(secret))) return 'a secret';
  if (/javascript|html/.test(type)) return null; // pages of ours, the same for everybody
  const shown = insides.find((inside) => inside.test(text));
  return shown === undefined ? null : `our insides: ${shown.exec(text)?.[0]}`;
};
