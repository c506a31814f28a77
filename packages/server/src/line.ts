/** What a worker asks its primary once it serves. */
export const isReady = 'ready';

/** The channel between a primary process and one of its workers, seen from either end. */
export interface End {
  /** @param sent - Absent: a message that cannot be sent is an event that ends the process when nobody listens. */
  send(message: Message, sent: (error: Error | null) => void): unknown;
  on(event: 'message', hear: (message: Message) => void): unknown;
}

type Message =
  | { kind: 'question'; id: number; name: string; given: unknown }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'failure'; id: number; reason: string };

/** Questions in both directions. */
export interface Line {
  /** @throws Error with the reason when the other end cannot answer, or is gone. */
  ask(name: string, given?: unknown): Promise<unknown>;
  /** Says how a question is answered here. */
  answer(name: string, answer: (given: unknown) => unknown): void;
  /** The other end is gone: nothing is answered any more. */
  cut(): void;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export const createLine = (end: End): Line => {
  const answers = new Map<string, (given: unknown) => unknown>();
  const waiting = new Map<number, Waiting>();
  let isCut = false;
  let asked = 0;

  const cut = (): void => {
    isCut = true;
    for (const { reject } of waiting.values()) reject(new Error('The other process has ended.'));
    waiting.clear();
  };

  const send = (message: Message): void => {
    end.send(message, (error) => {
      if (error) cut();
    });
  };

  const reply = async ({ id, name, given }: Extract<Message, { kind: 'question' }>): Promise<void> => {
    const answer = answers.get(name);
    if (answer === undefined) {
      send({ kind: 'failure', id, reason: `Nobody answers ${name} here.` });
      return;
    }
    try {
      send({ kind: 'answer', id, answer: await answer(given) });
    } catch (error) {
      send({ kind: 'failure', id, reason: String(error) });
    }
  };

  end.on('message', (message) => {
    if (message.kind === 'question') {
      void reply(message);
      return;
    }
    const asker = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'answer') asker?.resolve(message.answer);
    else asker?.reject(new Error(message.reason));
  });

  return {
    ask: (name, given) =>
      new Promise((resolve, reject) => {
        if (isCut) throw new Error('The other process has ended.');
        asked += 1;
        waiting.set(asked, { resolve, reject });
        send({ kind: 'question', id: asked, name, given });
      }),
    answer: (name, answer) => {
      answers.set(name, answer);
    },
    cut,
  };
};
