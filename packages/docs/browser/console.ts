/** Sends what the form says to the running service and shows what it answers. */
export const startConsole = (section: HTMLElement): void => {
  const find = <Found extends HTMLElement>(selector: string): Found => section.querySelector(selector) as Found;
  const [key, input] = [find<HTMLInputElement>('input'), find<HTMLTextAreaElement>('textarea')];
  const [button, status] = [find<HTMLButtonElement>('button'), find<HTMLElement>('.status')];
  const [answer, text] = [find<HTMLElement>('pre'), find<HTMLElement>('pre code')];
  const { method = 'GET', path = '' } = section.dataset;
  section.hidden = false;

  const show = (said: string, good: boolean, body: string): void => {
    status.textContent = said;
    status.dataset.good = String(good);
    answer.hidden = body === '';
    text.textContent = body;
  };

  const send = async (): Promise<void> => {
    const parsed = parse(input.value);
    if (parsed === null) return show('The input is not a JSON object.', false, '');
    button.disabled = true;
    const started = performance.now();
    try {
      const response = await fetch(addressOf(method, path, parsed), requestOf(method, parsed, key.value.trim()));
      const took = Math.round(performance.now() - started);
      const body = await response.text();
      show(`${response.status} ${response.statusText}, ${took} ms`, response.ok, pretty(body));
    } catch (error) {
      show(`The service did not answer: ${error instanceof Error ? error.message : String(error)}`, false, '');
    } finally {
      button.disabled = false;
    }
  };
  section.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
};

type Input = Readonly<Record<string, unknown>>;

/** Null: not a JSON object. */
const parse = (text: string): Input | null => {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Input) : null;
  } catch {
    return null;
  }
};

/** The input of a GET is in its path and query. */
const addressOf = (method: string, path: string, input: Input): string => {
  if (method !== 'GET') return path;
  const query = new URLSearchParams();
  let full = path;
  for (const [name, value] of Object.entries(input)) {
    if (full.includes(`:${name}`)) full = full.replace(`:${name}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size === 0 ? full : `${full}?${query}`;
};

const requestOf = (method: string, input: Input, key: string): RequestInit => ({
  method,
  credentials: 'omit',
  headers: {
    ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
  },
  ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
});

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // a file or plain text
  }
};
