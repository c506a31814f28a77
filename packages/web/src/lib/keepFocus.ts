const focusable = 'a[href], button:not([tabindex="-1"]), input, select, textarea, summary, [tabindex="0"]';

const takesFocus = (element: Element | null): boolean => {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return document.activeElement === element;
};

/** To the place itself, or to the first of its parts that takes it. */
const focusIn = (place: Node): boolean => {
  if (!(place instanceof Element)) return false;
  return [place, ...place.querySelectorAll(focusable)].some((one) => one.matches(focusable) && takesFocus(one));
};

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;
const toPage = (): void => void takesFocus(document.querySelector('main'));

/**
 * Where the focused part of a page goes away, the focus goes to what came in its place, else to what is nearest around it, at last to the
 * page itself. Without this a browser gives it to nothing, and whoever uses keys or listens starts again at the top.
 */
export const keepFocus = (): void => {
  /** What has, or just had, the focus. */
  let last: EventTarget | null = null;
  addEventListener('focusin', ({ target }) => {
    last = target;
  });
  // A press on nothing leaves it, too; then it is where the person wants it. What goes away is told before this timer.
  addEventListener('focusout', () => setTimeout(() => isNowhere() && (last = null)));
  new MutationObserver((changes) => {
    if (!(last instanceof Element) || last.isConnected || !isNowhere()) return;
    const gone = last;
    last = null;
    const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
    if (change === undefined) return;
    const came = changes.filter(({ target }) => target === change.target).flatMap(({ addedNodes }) => [...addedNodes]);
    if (came.some(focusIn)) return;
    for (let place = change.target as Element | null; place !== null; place = place.parentElement) {
      if (place.localName === 'main' || place.localName === 'body') return toPage();
      if (focusIn(place)) return;
    }
  }).observe(document.body, { childList: true, subtree: true });
  // A dialog gives it back to what opened it, which may be gone meanwhile.
  addEventListener('close', () => isNowhere() && toPage(), { capture: true });
};
