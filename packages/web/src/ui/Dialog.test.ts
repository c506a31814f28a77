// @vitest-environment happy-dom
import { createElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { type Rendered, rendered } from '../../testing/rendered.ts';
import { Dialog } from './Dialog.tsx';

describe('Dialog', () => {
  let page: Rendered | undefined;
  afterEach(() => page?.remove());

  it('default: open and shut as it is told; what is in it is there only while it is open', async () => {
    let closings = 0;
    const dialog = (isOpen: boolean) => {
      const onClose = (): void => {
        closings += 1;
      };
      return createElement(Dialog, { title: 'Sure?', isOpen, onClose, children: 'It cannot be undone.' });
    };
    page = await rendered(dialog(false));
    const found = page.element.querySelector('dialog');
    expect([found?.open, found?.textContent]).toEqual([false, '']);
    await page.become(dialog(true));
    expect([found?.open, found?.textContent]).toEqual([true, 'Sure?It cannot be undone.']);
    page.element.querySelector('button')?.click();
    expect(closings).toBe(1);
    await page.become(dialog(false));
    expect([found?.open, found?.textContent]).toEqual([false, '']);
  });
});
