/** The wallet's own dialogs, over the page and made without it, as those of other wallets are. */

export interface Shown {
  title: string;
  sentence?: string;
  lines?: readonly (readonly [name: string, value: string])[];
  /** Shown as it is. */
  text?: string;
}

export interface Choice<Value> {
  words: string;
  isMain?: boolean;
  value: Value;
}

export const refused = (): Error => Object.assign(new Error('You refused it.'), { code: 4001 });

const made = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text = '',
  children: readonly Node[] = [],
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  element.textContent = text;
  element.append(...children);
  return element;
};

const linesOf = (lines: NonNullable<Shown['lines']>): HTMLElement => {
  const list = made('dl');
  list.className = 'lines';
  list.append(
    ...lines.map(([name, value]) => {
      const written = made('dd', value);
      written.className = 'mono';
      return made('div', '', [made('dt', name), written]);
    }),
  );
  return list;
};

/** Asks the person. @throws 4001 when it is refused, also by Escape. */
export const ask = <Value>(
  { title, sentence, lines, text }: Shown,
  choices: readonly Choice<Value>[],
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const dialog = made('dialog');
    dialog.className = 'dialog demo-wallet';
    dialog.setAttribute('aria-label', `Demo wallet: ${title}`);
    const end = (then: () => void): void => {
      // Closed, it gives the focus back to what had it; taken away, it gives it to nothing.
      dialog.close();
      dialog.remove();
      then();
    };
    const button = (words: string, kind: string, then: () => void): HTMLButtonElement => {
      const element = made('button', words);
      element.className = 'btn';
      element.dataset.kind = kind;
      element.type = 'button';
      element.addEventListener('click', () => end(then));
      return element;
    };
    const inside = made('div', '', [made('h2', `Demo wallet: ${title}`)]);
    inside.className = 'dialog-in';
    if (sentence !== undefined) inside.append(made('p', sentence));
    if (lines !== undefined) inside.append(linesOf(lines));
    if (text !== undefined) {
      const raw = made('pre', text);
      raw.tabIndex = 0;
      inside.append(raw);
    }
    const row = made('div');
    row.className = 'row wrap';
    row.append(
      ...choices.map(({ words, isMain, value }) => button(words, isMain ? 'ink' : 'quiet', () => resolve(value))),
      button('Refuse', 'quiet', () => reject(refused())),
    );
    inside.append(row);
    dialog.append(inside);
    dialog.addEventListener('cancel', () => end(() => reject(refused())));
    document.body.append(dialog);
    dialog.showModal();
  });
