import type { Calls } from '@mintage/sdk';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Deployment } from './deployment.ts';

/** What a route's address says. */
export interface Address {
  /** Parameters of the path, decoded. */
  params: Readonly<Record<string, string>>;
  search: URLSearchParams;
}

/** What a page says of itself to those who only link to it. */
export interface Head {
  title: string;
  description: string;
  /** Path of its picture, 1200 × 630. */
  picture?: string;
  /** Path that it is known by, where several lead to it. */
  canonical?: string;
  /** Search engines are told to leave it out. */
  isHidden?: boolean;
}

export interface Prepare extends Address {
  deployment: Deployment;
  /** Holds the answers; `client.fetchQuery(…)` asks. */
  client: QueryClient;
  api: Calls;
}

/** A page: its component, and what is known of it before scripts run. One file a route, in `routes`. */
export interface PageModule {
  default: ComponentType<Address>;
  /**
   * Asks what the page shows first, where it is rendered on the server, and says what it is. Null: there is no such thing, and the
   * page is "not found".
   */
  prepare(given: Prepare): Promise<Head | null> | Head | null;
}
