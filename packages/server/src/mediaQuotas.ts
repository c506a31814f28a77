/** Files that people bring, in bytes; premium users have ten times as much, alone and of an address. */
export interface MediaQuotas {
  /** Of one user on one day (UTC). */
  userDay: number;
  /** Of one user, as long as the files are stored. */
  userTotal: number;
  /** Of all users of one address on one day (UTC). */
  addressDay: number;
  /** Of all users of one address, as long as the files are stored. */
  addressTotal: number;
  /** Not bytes: hours until an account that has created no token may post films. */
  filmsAfterHours: number;
}

export const defaultMediaQuotas: MediaQuotas = {
  userDay: 50_000_000,
  userTotal: 500_000_000,
  addressDay: 250_000_000,
  addressTotal: 2_500_000_000,
  filmsAfterHours: 24,
};
