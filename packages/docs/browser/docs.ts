import { startConsole } from './console.ts';

/** The page reads without this; it adds what needs a script. */
const search = document.querySelector<HTMLElement>('[data-search]');
const form = document.querySelector<HTMLElement>('.console');
if (form !== null) startConsole(form);

/** A long list of pages shows where the reader is. */
const pages = document.querySelector<HTMLElement>('.pages');
const current = pages?.querySelector<HTMLElement>('[aria-current]');
if (pages && current) pages.scrollTop = current.offsetTop - pages.clientHeight / 2;

/** The search comes on first use, with what it searches. */
if (search !== null) {
  const input = search.querySelector('input') as HTMLInputElement;
  search.hidden = false;
  const start = async (): Promise<void> => {
    const { startSearch } = await import('./search.ts');
    await startSearch(search, input);
  };
  const load = (): void => {
    start().catch((error: unknown) => {
      console.error(error);
      waitForFocus(); // which tries again
    });
  };
  const waitForFocus = (): void => input.addEventListener('focus', load, { once: true });
  waitForFocus();
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea');
    if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}
