/** What is looked for in a page, beside what axe finds. Each runs there, and is the faults it found, in words. */

/** That readers of screens are told where they are: one first heading, a title, a language, and a name for each column. */
export const faultsOfStructure = `(() => {
  const faults = [];
  const headings = [...document.querySelectorAll('h1')].filter((one) => one.checkVisibility());
  if (headings.length !== 1) faults.push(headings.length + ' first headings');
  if (document.title.trim() === '') faults.push('no title');
  if (document.documentElement.lang === '') faults.push('no language');
  for (const table of document.querySelectorAll('table:not([role=img] table)'))
    if (table.querySelector('thead th') === null) faults.push('a table without names of columns: ' + table.outerHTML.slice(0, 120));
  return faults;
})()`;

/** That nothing moves, for people who asked for no motion. A transition that is under way began before they asked. */
export const faultsOfStillness = `(() => {
  const faults = document.getAnimations().filter((one) => !(one instanceof CSSTransition)).map((one) => 'it moves: ' + (one.effect?.target?.outerHTML ?? '').slice(0, 120));
  for (const element of document.querySelectorAll('*'))
    for (const part of [undefined, '::before', '::after', '::backdrop']) {
      const { transitionDuration, animationName, animationDuration } = getComputedStyle(element, part);
      const lasts = (animationName === 'none' ? '' : animationDuration) + transitionDuration;
      if (/[1-9]/.test(lasts)) faults.push(lasts + ' long: ' + element.outerHTML.slice(0, 120) + (part ?? ''));
    }
  return faults;
})()`;

/** That no text is cut off or lies on another. What is cut with dots is meant to be, and what floats is above the rest. */
export const faultsOfText = `(() => {
  const faults = [];
  const top = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  const isAbove = (element) => {
    for (let one = element; one !== null && one !== top; one = one.parentElement) {
      const { position, zIndex } = getComputedStyle(one);
      if (position === 'fixed' || (position !== 'static' && Number(zIndex) > 0)) return true;
    }
    return false;
  };
  /** The part of a box that is seen, and whether a part was cut for good. */
  const seen = (box, element) => {
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let one = element; one !== null; one = one.parentElement) {
      const { overflowX, overflowY, textOverflow, contentVisibility } = getComputedStyle(one);
      const isClipped = contentVisibility === 'auto';
      if (one === document.body || one === document.documentElement || (overflowX === 'visible' && !isClipped)) continue;
      const around = one.getBoundingClientRect();
      const hidden = (way) => isClipped || way === 'hidden' || way === 'clip';
      const isCut =
        (hidden(overflowX) && textOverflow !== 'ellipsis' && (left < around.left - 2 || right > around.right + 2)) ||
        (hidden(overflowY) && (top < around.top - 4 || bottom > around.bottom + 4));
      if (isCut) return 'cut';
      [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
      [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
    }
    return right - left < 1 || bottom - top < 1 ? null : { left, top, right, bottom };
  };
  const texts = [];
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const { data, parentElement: element } = walker.currentNode;
    if (data.trim() === '' || element.closest('.sr, .skip, [aria-hidden=true], svg, script, style, option, canvas, sub')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) continue;
    if (isAbove(element)) continue;
    range.selectNodeContents(walker.currentNode);
    for (const box of range.getClientRects()) {
      const shown = seen(box, element);
      if (shown === 'cut') faults.push('cut: ' + data.slice(0, 60));
      else if (shown !== null) texts.push({ data, element, ...shown });
    }
  }
  for (const [place, one] of texts.entries())
    for (const other of texts.slice(place + 1)) {
      if (one.element === other.element || one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 3 && high > 0.3 * Math.min(one.bottom - one.top, other.bottom - other.top))
        faults.push('on each other: ' + one.data.slice(0, 40) + ' | ' + other.data.slice(0, 40));
    }
  return [...new Set(faults)];
})()`;
