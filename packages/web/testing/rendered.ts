import { act, createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Deployment, DeploymentContext } from '../src/lib/deployment.ts';

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}

export const deployment: Deployment = {
  name: 'Acme Pad',
  network: 'Testnet',
  appUrl: 'https://app.example',
  base: '',
  logo: null,
  isDevnet: true,
  providers: [],
  renderedAtMs: Date.now(),
};

/** A part of a page in a document, with its effects; what is in there now, and how it becomes another. */
export interface Rendered {
  element: HTMLElement;
  /** Renders it with other properties. */
  become(node: ReactNode): Promise<void>;
  /** Presses what has these words on it. */
  press(words: string): Promise<void>;
  remove(): Promise<void>;
}

/** For files that begin with `@vitest-environment happy-dom`. */
export const rendered = async (node: ReactNode): Promise<Rendered> => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  const become = (other: ReactNode): Promise<void> =>
    act(async () => root.render(createElement(DeploymentContext, { value: deployment }, other)));
  await become(node);
  return {
    element,
    become,
    async press(words) {
      const button = [...element.querySelectorAll('button')].find(({ textContent }) => textContent === words);
      if (button === undefined) throw new Error(`Nothing to press says “${words}”: ${element.textContent}`);
      await act(async () => button.click());
    },
    async remove() {
      await act(async () => root.unmount());
      element.remove();
    },
  };
};
