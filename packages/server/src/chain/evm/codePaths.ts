import type { Hex } from 'viem';

/** Opcodes that hand on a call whatever it is: a proxy, or code that runs as the contract. */
const delegating: ReadonlySet<number> = new Set([0xf2, 0xf4]);
const callOpcode = 0xf1;
const selfDestruct = 0xff;
const push4 = 0x63;
const [push1, push32] = [0x60, 0x7f];
/** A wallet that runs the code of a contract, after EIP-7702. */
const delegatedWallet = '0xef0100';

/** Functions of a token that move its tokens or let them be moved (`transfer`, `approve`, `transferFrom`). */
const tokenCalls: ReadonlySet<number> = new Set([0xa9059cbb, 0x095ea7b3, 0x23b872dd]);
/** Functions by which smart wallets call whatever their owners want. */
const walletCalls: ReadonlySet<number> = new Set([
  0xb61d27f6, // execute(address,uint256,bytes)
  0x9e5d4c49, // executeCall(address,uint256,bytes)
  0x51945447, // execute(address,uint256,bytes,uint8)
  0xe9ae5c53, // execute(bytes32,bytes)
  0x34fcd5be, // executeBatch((address,uint256,bytes)[])
  0x47e1da2a, // executeBatch(address[],uint256[],bytes[])
  0x18dfb3c7, // executeBatch(address[],bytes[])
  0x6a761202, // execTransaction of Safe
]);

/**
 * Whether code can send an asset on, as far as its bytes show. What only might is taken to: this decides about a
 * warning.
 *
 * @param isToken - False: the native coin.
 */
export const canSendOn = (code: Hex, isToken: boolean): boolean => {
  if (code.startsWith(delegatedWallet)) return true;
  const bytes = Buffer.from(code.slice(2), 'hex');
  let calls = false;
  let names = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const opcode = bytes[at] as number;
    if (delegating.has(opcode) || (!isToken && opcode === selfDestruct)) return true;
    if (opcode === callOpcode) calls = true;
    if (opcode === push4 && at + 4 < bytes.length) {
      const selector = bytes.readUInt32BE(at + 1);
      if (tokenCalls.has(selector) || walletCalls.has(selector)) names = true;
    }
    if (opcode >= push1 && opcode <= push32) at += opcode - push1 + 1;
  }
  return calls && (!isToken || names);
};
