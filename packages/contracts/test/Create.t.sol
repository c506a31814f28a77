// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {LaunchToken} from "../src/LaunchToken.sol";
import {Launchpad} from "../src/Launchpad.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {PoolType, PoolTypes} from "../src/libraries/PoolTypes.sol";
import {LaunchpadTest} from "./LaunchpadTest.sol";

contract CreateTest is LaunchpadTest {
    function testFuzz_create_default(uint8 typeSeed, bool usdIs0) public {
        uint8 id = uint8(bound(typeSeed, 7, 9));
        address token = _create(id, usdIs0);
        PoolType memory poolType = PoolTypes.get(id, oneUsd);
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        assertEq(state.tokensLeft, poolType.curveTokens);
        assertEq(state.usd + state.treasuryShare + state.floorUsd, 0);
        assertEq(state.creator, creator);
        assertEq(state.created, block.timestamp);
        assertEq(state.poolType, id);
        assertFalse(state.graduated);
        assertEq(LaunchToken(token).totalSupply(), PoolTypes.SUPPLY);
        assertEq(LaunchToken(token).balanceOf(address(launchpad)), PoolTypes.SUPPLY);
        assertEq(LaunchToken(token).name(), "Example Token");
        assertEq(LaunchToken(token).symbol(), "EXMPL");
        assertEq(LaunchToken(token).decimals(), 18);
    }

    function test_create_emitsEverythingTheIndexerNeeds() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.STARTUP_PRESEED);
        address expected = launchpad.tokenAddress(creator, params.salt);
        vm.expectEmit(address(launchpad));
        emit ILaunchpad.TokenCreated(
            expected,
            creator,
            PoolTypes.STARTUP_PRESEED,
            1_280_000_000e18,
            18_000 * oneUsd,
            params.salt,
            block.timestamp,
            params.name,
            params.symbol,
            params.uri
        );
        vm.prank(creator);
        assertEq(launchpad.create(params), expected);
    }

    function test_create_withInitialBuyInOneTransaction() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        address token = launchpad.tokenAddress(creator, params.salt);
        _fund(creator, 100 * oneUsd);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ILaunchpad.create, (params));
        calls[1] = abi.encodeCall(ILaunchpad.buyExactIn, (_order(token, 100 * oneUsd, creator)));
        vm.prank(creator);
        bytes[] memory results = launchpad.multicall(calls);
        assertEq(abi.decode(results[0], (address)), token);
        (uint256 paid, uint256 tokens) = abi.decode(results[1], (uint256, uint256));
        assertEq(paid, 100 * oneUsd);
        assertEq(LaunchToken(token).balanceOf(creator), tokens);
        assertEq(launchpad.stateOf(token).usd, 20 * oneUsd, "80 % in second 0, the creator too");
        assertEq(launchpad.stateOf(token).floorUsd, 79 * oneUsd);
    }

    function test_poolTypes_theLastPriceOfTheCurveIsTheFirstOfThePool() public pure {
        for (uint8 id = PoolTypes.MEME; id <= PoolTypes.TEST; id++) {
            PoolType memory poolType = PoolTypes.get(id, 1e6);
            assertEq(poolType.curveTokens + poolType.poolTokens, PoolTypes.SUPPLY);
            uint256 atEnd = poolType.virtualTokens - poolType.curveTokens;
            assertEq(poolType.virtualUsd * poolType.curveTokens % atEnd, 0, "the raise is a whole number");
            uint256 raise = poolType.virtualUsd * poolType.curveTokens / atEnd;
            assertEq(
                (poolType.virtualUsd + raise) * poolType.poolTokens, (raise - poolType.creatorReward) * atEnd, "price"
            );
            (uint256 tokensAtEnd, uint256 usdAtStart) = PoolTypes.virtualBase(id, 1e6);
            assertEq(tokensAtEnd, atEnd);
            assertEq(usdAtStart, poolType.virtualUsd);
        }
    }

    function test_create_error_deadline() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        params.deadline = block.timestamp - 1;
        vm.expectRevert(
            abi.encodeWithSelector(ILaunchpad.DeadlinePassed.selector, params.deadline, block.timestamp)
        );
        launchpad.create(params);
    }

    function test_create_error_poolType() public {
        ILaunchpad.TokenParams memory params = _params(10);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnknownPoolType.selector, 10));
        launchpad.create(params);
    }

    function test_create_error_testTypeWhereItIsOff() public {
        Launchpad.Config memory config = _config();
        config.testPoolType = false;
        Launchpad strict = new Launchpad(config);
        ILaunchpad.TokenParams memory params = _params(PoolTypes.TEST);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnknownPoolType.selector, PoolTypes.TEST));
        strict.create(params);
    }

    function test_create_error_noVenue() public {
        Launchpad.Config memory config = _config();
        config.poolManager = address(0);
        Launchpad without = new Launchpad(config);
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        vm.expectRevert(ILaunchpad.NoVenue.selector);
        without.create(params);
    }

    function test_create_error_sameSaltTwice() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        address token = launchpad.create(params);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.TokenExists.selector, token));
        launchpad.create{gas: 100_000}(params);
    }

    function test_constructor_error_zeroOwnerOrTreasury() public {
        Launchpad.Config memory config = _config();
        config.owner = address(0);
        vm.expectRevert(ILaunchpad.ZeroAddress.selector);
        this.deployWith(config);
        config = _config();
        config.treasury = address(0);
        vm.expectRevert(ILaunchpad.ZeroAddress.selector);
        this.deployWith(config);
    }

    /// @dev An expected revert of `new` itself ends a test that is linked dynamically.
    function deployWith(Launchpad.Config memory config) external {
        new Launchpad(config);
    }

    /// @dev Creating any contract larger than 24,576 bytes fails; ours keeps room for a fix.
    function test_size_belowTheLimit() public view {
        assertLt(address(launchpad).code.length, 24_000);
    }

    function _config() private view returns (Launchpad.Config memory) {
        return Launchpad.Config({
            usd: address(usd),
            poolManager: address(manager),
            poolHook: address(hook),
            tokenImplementation: launchpad.tokenImplementation(),
            owner: owner,
            treasury: treasury,
            voucherSigner: vm.addr(signerKey),
            testPoolType: true,
            graduationGas: GRADUATION_GAS
        });
    }
}
