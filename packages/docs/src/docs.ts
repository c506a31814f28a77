export type { Deployment } from './deployment.ts';
export { createSite, type Site, type SiteFile } from './site.ts';
export { readSources, type Sources } from './sources.ts';
