import MiniSearch from 'minisearch';

/** As `searchDocuments.ts` writes them. */
interface Found {
  address: string;
  title: string;
  within: string;
  text: string;
}

const most = 12;
const longest = 100;

/** Fetches what is searched and shows what fits, as the input is typed. By the ARIA pattern of a combobox with a list. */
export const startSearch = async (search: HTMLElement, input: HTMLInputElement): Promise<void> => {
  const list = search.querySelector('ul') as HTMLUListElement;
  const response = await fetch(`${search.dataset.search}/search.json`);
  if (!response.ok) throw new Error(`The search index answered ${response.status}.`);
  const index = new MiniSearch<Found & { id: number }>({
    fields: ['title', 'text', 'within'],
    storeFields: ['address', 'title', 'within', 'text'],
    // `getUserFees` is also found by its words.
    tokenize: (text) => text.split(/[\s\p{P}]+/u).flatMap((word) => [word, ...wordsIn(word)]),
    searchOptions: {
      boost: { title: 4, within: 1.5 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.15 : false),
      combineWith: 'AND',
    },
  });
  index.addAll((await response.json()) as (Found & { id: number })[]);
  let chosen = 0;

  const choose = (next: number): void => {
    const items = [...list.children];
    chosen = items.length === 0 ? 0 : (next + items.length) % items.length;
    for (const [at, item] of items.entries()) item.setAttribute('aria-selected', String(at === chosen));
    const item = items[chosen];
    if (item === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', item.id);
    item?.scrollIntoView({ block: 'nearest' });
  };

  const show = (): void => {
    const found = input.value.trim() === '' ? [] : index.search(input.value).slice(0, most);
    list.replaceChildren(...found.map((one, at) => itemOf(one as unknown as Found, at)));
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    choose(0);
  };

  const open = (): void => {
    const address = (list.children[chosen] as HTMLElement | undefined)?.dataset.address;
    if (address !== undefined) location.assign(address);
  };

  const close = (): void => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
  };

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') open();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  // Before the input loses the focus, which closes the list.
  list.addEventListener('mousedown', (event) => {
    const item = (event.target as Element).closest('li');
    if (item === null) return;
    event.preventDefault();
    choose([...list.children].indexOf(item));
    open();
  });
  show();
};

const itemOf = ({ address, title, within, text }: Found, at: number): HTMLLIElement => {
  const item = document.createElement('li');
  item.id = `site-found-${at}`;
  item.role = 'option';
  item.dataset.address = address;
  const name = document.createElement('b');
  name.textContent = title;
  const place = document.createElement('span');
  place.textContent = `${within} · ${begins(text)}`;
  item.append(name, place);
  return item;
};

/** As much of a text as two lines hold, in whole words. */
const begins = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/\W*\s\S*$/, '')} …`;

/** `getUserFees` → get, User, Fees; `TOKEN_NOT_FOUND` is split at its marks already. */
const wordsIn = (word: string): string[] => {
  const words = word.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  return words.length > 1 ? words : [];
};
