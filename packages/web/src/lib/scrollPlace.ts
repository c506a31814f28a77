/** How far each entry of the tab's history was scrolled, by an id that is kept in the entry. */
const placeOf = new Map<string, number>();
/** For so long a page may still grow to where it was left, milliseconds. */
const longestGrowMs = 3_000;
let current = '';

/** The entry of the address, marked so that it is known again. */
const entry = (): string => {
  const state = (history.state ?? {}) as { place?: string };
  if (state.place !== undefined) return state.place;
  const place = crypto.randomUUID();
  history.replaceState({ ...state, place }, '');
  return place;
};

/** Keeps where pages are left. The browser does it where the whole page is loaded anew. */
export const keepScrollPlaces = (): void => {
  current = entry();
  addEventListener('scroll', () => placeOf.set(current, scrollY), { passive: true });
  addEventListener('popstate', () => {
    // The page that is left is still shown.
    history.scrollRestoration = 'manual';
  });
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
  });
  history.scrollRestoration = 'manual';
};

/** Once the page of this entry is shown: to where it was left, or to its beginning. */
export const scrollToPlace = (): void => {
  current = entry();
  const place = placeOf.get(current) ?? 0;
  scrollTo(0, place);
  if (scrollY >= place) return;
  // What it lists may come a moment later.
  const follow = new ResizeObserver(() => {
    scrollTo(0, place);
    if (scrollY >= place) stop();
  });
  const stop = (): void => {
    follow.disconnect();
    for (const act of acts) removeEventListener(act, stop);
  };
  const acts = ['wheel', 'touchstart', 'keydown', 'popstate'];
  for (const act of acts) addEventListener(act, stop, { passive: true });
  follow.observe(document.body);
  setTimeout(stop, longestGrowMs);
};
