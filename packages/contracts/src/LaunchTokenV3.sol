// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {LaunchToken} from "./LaunchToken.sol";
import {ILaunchpadV3} from "./interfaces/ILaunchpadV3.sol";
import {ExchangeV3, PoolV3} from "./libraries/PoolV3.sol";

/// @title LaunchTokenV3: the implementation on chains with a v3 exchange, where anybody can make a token's pool before it
/// graduates. Until then nothing enters it, so nobody can ask there. At the address that LaunchToken has elsewhere.
contract LaunchTokenV3 is LaunchToken {
    address private immutable _usd;
    address private immutable _poolDeployer;
    bytes32 private immutable _poolCodeHash;
    bool private immutable _isEra;

    constructor(address factory_, address launchpad_, address bridge_, address usd_, ExchangeV3 memory exchange)
        LaunchToken(factory_, launchpad_, bridge_)
    {
        (_usd, _poolDeployer) = (usd_, exchange.deployer);
        (_poolCodeHash, _isEra) = (exchange.poolCodeHash, exchange.isEra);
    }

    function _beforeTokenTransfer(address, address to, uint256) internal view override {
        address pool = PoolV3.addressOf(
            ExchangeV3(address(0), _poolDeployer, _poolCodeHash, _isEra), _usd, address(this)
        );
        if (to == pool && !ILaunchpadV3(launchpad).poolIsOpen(address(this))) revert ILaunchpadV3.PoolNotOpen();
    }
}
