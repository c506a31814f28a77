export * from './chains/address.ts';
export * from './chains/chainIds.ts';
export * from './chains/chains.ts';
export * from './chains/checksum.ts';
export * from './chains/deployment.ts';
export * from './chains/families.ts';
export * from './chains/ids.ts';
export * from './chains/nearestSlug.ts';
export * from './chains/walls.ts';
export * from './evm/calldata.ts';
export * from './evm/decodeStrictly.ts';
export type { EthRequest } from './evm/followLogs.ts';
export * from './evm/generated/abi.ts';
export * from './evm/layerZeroAbi.ts';
export * from './evm/poolAddress.ts';
export * from './evm/readTransaction.ts';
export * from './evm/reverts.ts';
export * from './evm/signing/digests.ts';
export * from './evm/signing/signing.ts';
export * from './evm/solvency.ts';
export * from './evm/supplies.ts';
export * from './evm/tokenAddress.ts';
export * from './evm/tradeRecord.ts';
export * from './evm/voucher.ts';
export * from './maths/bridge.ts';
export * from './maths/crossedSupply.ts';
export * from './maths/curve.ts';
export * from './maths/decimal.ts';
export * from './maths/exactAmount.ts';
export * from './maths/fees.ts';
export * from './maths/graduation.ts';
export * from './maths/moneyRaised.ts';
export * from './maths/pool/exchangePool.ts';
export * from './maths/pool/mintagePool.ts';
export * from './maths/pool/quotePool.ts';
export * from './maths/pool/swap.ts';
export * from './maths/pool/tickMath.ts';
export * from './maths/poolTypes.ts';
export * from './maths/price.ts';
export * from './maths/priceOrder.ts';
export * from './maths/solvency.ts';
export * from './maths/trade.ts';
export * from './operations/activity.ts';
export * from './operations/operation.ts';
export * from './schemas/errors.ts';
export {
  creditedFees,
  distributionTypes,
  type FeePart,
  type FeeRecipient,
  quotedFees,
} from './schemas/feeTable.ts';
export { ofFamilies } from './schemas/perFamily.ts';
export * from './schemas/scalars.ts';
export { PoolVenue, protocolNames } from './schemas/venue.ts';
export { hasUnseen, isSeen, replaceUnseen, unseen } from './schemas/visibleText.ts';
