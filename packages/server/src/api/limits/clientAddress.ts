import ipaddr from 'ipaddr.js';

/**
 * Whom an address stands for: an IPv4 address for itself, an IPv6 address for its /56, because whoever has one has
 * as many as they like (R4).
 */
export const clientAddress = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = parsed.toByteArray().map((byte, i) => (i < 7 ? byte : 0));
  return `${ipaddr.fromByteArray(network).toString()}/56`;
};
