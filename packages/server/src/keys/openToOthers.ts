import { type Stats, statSync } from 'node:fs';

/**
 * Whether others on this machine may read a file. What root hands to a service, as Kubernetes and systemd do with secrets, is
 * its group's to read: that counts as ours.
 */
export const isOpenToOthers = (path: string): boolean =>
  // Windows has no permission bits.
  process.platform !== 'win32' && opensToOthers(statSync(path), process.getuid?.() ?? 0);

/** @param user - Who runs the service, by number. */
export const opensToOthers = ({ mode, uid }: Pick<Stats, 'mode' | 'uid'>, user: number): boolean =>
  (mode & (uid === 0 && user !== 0 ? 0o037 : 0o077)) !== 0;
