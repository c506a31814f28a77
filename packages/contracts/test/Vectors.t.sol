// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Test} from "forge-std/Test.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {Fees} from "../src/libraries/Fees.sol";
import {TradeKind} from "../src/libraries/TradeKind.sol";
import {CurveHarness} from "./harness/CurveHarness.sol";
import {GraduationHarness} from "./harness/GraduationHarness.sol";
import {PoolHarness} from "./harness/PoolHarness.sol";

/// @notice The shared cases of `vectors/`, which protocol/test/vectors.test.ts reads too.
contract VectorsTest is Test {
    struct CurveRow {
        string kind;
        uint256 amount;
        uint256 feeBps;
        uint256 builderBps;
        bool hasReferral;
        bool hasReferrer;
        uint256 virtualTokens;
        uint256 virtualUsd;
        uint256 tokensLeft;
        uint256 reserveUsd;
        string reverts;
        uint256 grossUsd;
        uint256 netUsd;
        uint256 tokens;
        uint256 virtualTokensAfter;
        uint256 virtualUsdAfter;
        uint256 total;
        uint256 builder;
        uint256 base;
        uint256 excess;
        uint256 creator;
        uint256 referral;
        uint256 referrer;
        uint256 cashback;
        uint256 treasury;
    }

    struct FeeRow {
        uint256 grossUsd;
        uint256 feeBps;
        uint256 builderBps;
        bool hasReferral;
        bool hasReferrer;
        uint256 total;
        uint256 builder;
        uint256 base;
        uint256 excess;
        uint256 creator;
        uint256 referral;
        uint256 referrer;
        uint256 cashback;
        uint256 treasury;
    }

    struct PoolRow {
        uint160 sqrtPriceX96;
        uint24 protocolFee;
        int24 fullLower;
        int24 fullUpper;
        uint128 fullLiquidity;
        int24 floorLower;
        int24 floorUpper;
        uint128 floorLiquidity;
        bool zeroForOne;
        bool exactIn;
        uint256 amount;
        int256 amount0;
        int256 amount1;
        uint160 sqrtPriceX96After;
        int24 tickAfter;
        uint128 liquidityAfter;
    }

    struct GraduationRow {
        uint8 poolType;
        uint256 usdDecimals;
        uint256 reserveUsd;
        uint256 windowUsd;
        bool usdIs0;
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 fullLiquidity;
        int24 floorLower;
        int24 floorUpper;
        uint128 floorLiquidity;
        uint256 usdLocked;
        uint256 tokensLocked;
        uint256 floorUsd;
        uint256 creatorRewardUsd;
        uint256 dustUsd;
        uint256 dustTokens;
    }

    struct IdentityRow {
        address account;
        uint32 eid;
        bytes32 platformId;
    }

    string private constant POOL_MANAGER = "../../node_modules/@uniswap/v4-core/out/PoolManager.sol/PoolManager.json";

    function test_curve() public {
        CurveRow[] memory rows = abi.decode(
            _rows(
                "curve",
                "Row(string kind,uint256 amount,uint256 feeBps,uint256 builderBps,bool hasReferral,bool hasReferrer,uint256 virtualTokens,uint256 virtualUsd,uint256 tokensLeft,uint256 reserveUsd,string reverts,uint256 grossUsd,uint256 netUsd,uint256 tokens,uint256 virtualTokensAfter,uint256 virtualUsdAfter,uint256 total,uint256 builder,uint256 base,uint256 excess,uint256 creator,uint256 referral,uint256 referrer,uint256 cashback,uint256 treasury)"
            ),
            (CurveRow[])
        );
        CurveHarness.Case[] memory cases = new CurveHarness.Case[](rows.length);
        for (uint256 i; i < rows.length; i++) {
            cases[i] = CurveHarness.Case({
                kind: _kind(rows[i].kind),
                virtualTokens: rows[i].virtualTokens,
                virtualUsd: rows[i].virtualUsd,
                tokensLeft: rows[i].tokensLeft,
                reserveUsd: rows[i].reserveUsd,
                amount: rows[i].amount,
                feeBps: rows[i].feeBps,
                builderBps: rows[i].builderBps,
                hasReferral: rows[i].hasReferral,
                hasReferrer: rows[i].hasReferrer
            });
        }
        CurveHarness.Result[] memory results = new CurveHarness().applyAll(cases);
        assertGt(rows.length, 200);
        for (uint256 i; i < rows.length; i++) {
            assertEq(abi.encode(results[i]), abi.encode(_expected(rows[i])), vm.toString(i));
        }
    }

    function test_fees() public view {
        uint256[] memory schedule = vm.parseJsonUintArray(_read("fees"), ".buyFeeBps");
        assertEq(schedule.length, 8);
        for (uint256 second; second < schedule.length; second++) {
            assertEq(Fees.buyFeeBps(second), schedule[second]);
        }
        FeeRow[] memory rows = abi.decode(
            _rows(
                "fees",
                "Row(uint256 grossUsd,uint256 feeBps,uint256 builderBps,bool hasReferral,bool hasReferrer,uint256 total,uint256 builder,uint256 base,uint256 excess,uint256 creator,uint256 referral,uint256 referrer,uint256 cashback,uint256 treasury)"
            ),
            (FeeRow[])
        );
        assertGt(rows.length, 100);
        for (uint256 i; i < rows.length; i++) {
            FeeRow memory row = rows[i];
            assertEq(Fees.feeOfGrossUp(row.grossUsd, row.feeBps + row.builderBps), row.total, vm.toString(i));
            Fees.Split memory parts =
                Fees.splitFee(row.grossUsd, row.total, row.feeBps, row.builderBps, row.hasReferral, row.hasReferrer);
            Fees.Split memory expected = Fees.Split({
                total: row.total,
                builder: row.builder,
                base: row.base,
                excess: row.excess,
                creator: row.creator,
                referral: row.referral,
                referrer: row.referrer,
                cashback: row.cashback,
                treasury: row.treasury
            });
            assertEq(abi.encode(parts), abi.encode(expected), vm.toString(i));
        }
    }

    function test_pool() public {
        PoolRow[] memory rows = abi.decode(
            _rows(
                "pool",
                "Row(uint160 sqrtPriceX96,uint24 protocolFee,int24 fullLower,int24 fullUpper,uint128 fullLiquidity,int24 floorLower,int24 floorUpper,uint128 floorLiquidity,bool zeroForOne,bool exactIn,uint256 amount,int256 amount0,int256 amount1,uint160 sqrtPriceX96After,int24 tickAfter,uint128 liquidityAfter)"
            ),
            (PoolRow[])
        );
        PoolHarness.Case[] memory cases = new PoolHarness.Case[](rows.length);
        for (uint256 i; i < rows.length; i++) {
            PoolRow memory row = rows[i];
            (cases[i].sqrtPriceX96, cases[i].protocolFee) = (row.sqrtPriceX96, row.protocolFee);
            cases[i].ranges[0] = PoolHarness.Range(row.fullLower, row.fullUpper, row.fullLiquidity);
            cases[i].ranges[1] = PoolHarness.Range(row.floorLower, row.floorUpper, row.floorLiquidity);
            // forge-lint: disable-next-line(unsafe-typecast)
            int256 amount = int256(row.amount); // below 2^127
            cases[i].swaps[0] = PoolHarness.Swap(row.zeroForOne, row.exactIn ? -amount : amount);
        }
        PoolHarness.Outcome[3][] memory outcomes = new PoolHarness(vm.getCode(POOL_MANAGER)).applyAll(cases);
        assertGt(rows.length, 90);
        for (uint256 i; i < rows.length; i++) {
            PoolRow memory row = rows[i];
            PoolHarness.Outcome memory expected = PoolHarness.Outcome(
                bytes4(0), row.amount0, row.amount1, row.sqrtPriceX96After, row.tickAfter, row.liquidityAfter
            );
            assertEq(abi.encode(outcomes[i][0]), abi.encode(expected), vm.toString(i));
        }
    }

    function test_graduation() public {
        GraduationRow[] memory rows = abi.decode(
            _rows(
                "graduation",
                "Row(uint8 poolType,uint256 usdDecimals,uint256 reserveUsd,uint256 windowUsd,bool usdIs0,uint160 sqrtPriceX96,int24 tick,uint128 fullLiquidity,int24 floorLower,int24 floorUpper,uint128 floorLiquidity,uint256 usdLocked,uint256 tokensLocked,uint256 floorUsd,uint256 creatorRewardUsd,uint256 dustUsd,uint256 dustTokens)"
            ),
            (GraduationRow[])
        );
        GraduationHarness.Case[] memory cases = new GraduationHarness.Case[](rows.length);
        for (uint256 i; i < rows.length; i++) {
            cases[i] = GraduationHarness.Case(
                rows[i].poolType,
                10 ** rows[i].usdDecimals,
                rows[i].reserveUsd,
                rows[i].windowUsd,
                rows[i].usdIs0
            );
        }
        (ILaunchpad.Graduation[] memory results,) = new GraduationHarness(vm.getCode(POOL_MANAGER)).applyAll(cases);
        assertGt(rows.length, 50);
        for (uint256 i; i < rows.length; i++) {
            GraduationRow memory row = rows[i];
            ILaunchpad.Graduation memory expected;
            (expected.sqrtPriceX96, expected.tick) = (row.sqrtPriceX96, row.tick);
            expected.fullRange = ILaunchpad.LockedRange(-887_200, 887_200, row.fullLiquidity);
            expected.floor = ILaunchpad.LockedRange(row.floorLower, row.floorUpper, row.floorLiquidity);
            (expected.usdLocked, expected.tokensLocked) = (row.usdLocked, row.tokensLocked);
            (expected.floorUsd, expected.creatorReward) = (row.floorUsd, row.creatorRewardUsd);
            (expected.dustUsd, expected.dustTokens) = (row.dustUsd, row.dustTokens);
            assertEq(abi.encode(results[i]), abi.encode(expected), vm.toString(i));
        }
    }

    function test_identity() public view {
        IdentityRow[] memory rows =
            abi.decode(_rows("identity", "Row(address address,uint32 eid,bytes32 platformId)"), (IdentityRow[]));
        assertEq(rows.length, 10);
        for (uint256 i; i < rows.length; i++) {
            bytes32 origin = bytes32(uint256(uint160(rows[i].account)));
            bytes32 platformId = keccak256(abi.encode(origin, uint256(0), uint8(1), uint8(1), rows[i].eid));
            assertEq(platformId, rows[i].platformId, vm.toString(i));
        }
    }

    // ---------------------------------------------------------------- reading

    function _read(string memory name) private view returns (string memory) {
        return vm.readFile(string.concat("../../vectors/", name, ".json"));
    }

    function _rows(string memory name, string memory rowType) private view returns (bytes memory) {
        return vm.parseJsonTypeArray(_read(name), ".cases", rowType);
    }

    function _kind(string memory name) private pure returns (TradeKind) {
        string[4] memory names = ["buyExactIn", "buyExactOut", "sellExactIn", "sellExactOut"];
        for (uint256 i; i < names.length; i++) {
            if (keccak256(bytes(names[i])) == keccak256(bytes(name))) return TradeKind(i);
        }
        revert(name);
    }

    function _expected(CurveRow memory row) private pure returns (CurveHarness.Result memory expected) {
        if (bytes(row.reverts).length != 0) {
            expected.reverted = bytes4(keccak256(bytes(row.reverts)));
            return expected;
        }
        (expected.grossUsd, expected.netUsd, expected.tokens) = (row.grossUsd, row.netUsd, row.tokens);
        (expected.virtualTokens, expected.virtualUsd) = (row.virtualTokensAfter, row.virtualUsdAfter);
        (expected.parts.total, expected.parts.builder) = (row.total, row.builder);
        (expected.parts.base, expected.parts.excess) = (row.base, row.excess);
        (expected.parts.creator, expected.parts.referral) = (row.creator, row.referral);
        (expected.parts.referrer, expected.parts.cashback) = (row.referrer, row.cashback);
        expected.parts.treasury = row.treasury;
    }
}
