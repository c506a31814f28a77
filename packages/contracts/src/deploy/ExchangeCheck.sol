// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IFactoryV3, IPoolV3} from "../interfaces/IPoolV3.sol";
import {PoolV3} from "../libraries/PoolV3.sol";

/// @title ExchangeCheck: whether a factory is that of an exchange of the form of Uniswap v3, by what it does.
/// @notice Never deployed: the deploy script creates it in an `eth_call`. In place of code it returns what it found: the pool
/// that the factory made, the pool that it names, the spacing of its ticks, and its price and tick.
contract ExchangeCheck {
    constructor(IFactoryV3 factory, address usd, address token, uint160 sqrtPriceX96) {
        IPoolV3 pool = IPoolV3(factory.createPool(usd, token, PoolV3.SWAP_FEE));
        pool.initialize(sqrtPriceX96);
        (uint160 priceX96, int24 tick) = pool.slot0();
        bytes memory found = abi.encode(
            pool,
            factory.getPool(usd, token, PoolV3.SWAP_FEE),
            factory.feeAmountTickSpacing(PoolV3.SWAP_FEE),
            priceX96,
            tick
        );
        assembly ("memory-safe") {
            return(add(found, 0x20), mload(found))
        }
    }
}
