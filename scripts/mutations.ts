/**
 * Bugs to plant in the contracts, each with the test that must notice it. `from` occurs exactly once in the file.
 * A mutation that no longer fits the source is mended here in the change that moved the source.
 */
export interface Mutation {
  id: string;
  bug: string;
  /** In packages/contracts/src. */
  file: string;
  from: string;
  to: string;
  /** In packages/contracts/test, with the test's name. */
  testFile: string;
  test: string;
  /** Where the test could fail elsewhere first (the handler of the invariants): the assertion that has to fail. */
  says?: string;
}

const opening = 'hostile/Opening.t.sol';
const graduation = 'hostile/Graduation.t.sol';
const curve = 'hostile/Curve.t.sol';
const vault = 'hostile/Vault.t.sol';
const authority = 'hostile/Authority.t.sol';
const profit = 'hostile/Profit.t.sol';
const platform = 'hostile/Platform.t.sol';
const paidFailures = 'hostile/PaidFailures.t.sol';
const deployer = 'hostile/Deployer.t.sol';
const services = 'Services.t.sol';
const invariants = 'invariant/Launchpad.t.sol';

export const mutations: Mutation[] = [
  {
    id: 'H4',
    bug: 'the Launchpad trusts a factory that is not there yet',
    file: 'Launchpad.sol',
    from: '_requireCode(config.factory);',
    to: '',
    testFile: deployer,
    test: 'test_H4_launchpad_refusesToTrustAnAddressWithoutCode',
  },
  {
    id: 'H4',
    bug: 'a token mints for other contracts',
    file: 'LaunchToken.sol',
    from: 'function crosschainMint(address to, uint256 amount) external only(bridge) {',
    to: `function crosschainMint(address to, uint256 amount) external {
        if (msg.sender.code.length == 0 || msg.sender == launchpad) revert Unauthorized(msg.sender);`,
    testFile: deployer,
    test: 'test_H4_deployer_codeAtAnyAddressTakesNothing',
  },
  {
    id: 'C3',
    bug: 'a token mints for other contracts',
    file: 'LaunchToken.sol',
    from: 'function crosschainMint(address to, uint256 amount) external only(bridge) {',
    to: `function crosschainMint(address to, uint256 amount) external {
        if (msg.sender.code.length == 0) revert Unauthorized(msg.sender);`,
    testFile: invariants,
    test: 'invariant_X1_C3_supply_isFixed',
    says: 'an attack succeeded',
  },
  {
    id: 'C3',
    bug: 'the floor ends at the opening price',
    file: 'libraries/PoolRange.sol',
    from: 'uint160 startX96 = sqrtPriceX96(poolType.virtualTokens, poolType.virtualUsd, usdIs0);',
    to: `uint256 end = poolType.virtualTokens - poolType.curveTokens;
        uint160 startX96 = sqrtPriceX96(end, poolType.virtualUsd * poolType.virtualTokens / end, usdIs0);`,
    testFile: invariants,
    test: 'invariant_C3_C1_liquidity_neverLeaves',
    says: 'a coalition gains',
  },
  {
    id: 'H18',
    bug: 'a voucher lives as long as it says',
    file: 'Settings.sol',
    from: `
            || voucher.deadline > block.timestamp + VOUCHER_SECONDS;`,
    to: ';',
    testFile: services,
    test: 'testFuzz_H18_voucher_livesAnHour',
  },
  {
    id: 'H18',
    bug: "anyone clears anyone's referrer",
    file: 'Settings.sol',
    from: 'function clearReferrer(address user) external onlyOwner {',
    to: 'function clearReferrer(address user) external {',
    testFile: services,
    test: 'test_H18_owner_repairsWhatAStolenKeyDid',
  },
  {
    id: 'H20',
    bug: 'a buy that finds the curve sold out is refused',
    file: 'Trading.sol',
    from: 'if (kind.isBuy() && curve.tokensLeft == 0) return (fill, true);',
    to: '',
    testFile: graduation,
    test: 'testFuzz_H20_lockedFinish_theNextBuyOpensThePool',
  },
  {
    id: 'H20',
    bug: 'a buy that cannot open the pool does nothing and says nothing',
    file: 'Trading.sol',
    from: 'if (!_tryToGraduate(order.token, gasleft())) revert GraduationPending(order.token);',
    to: 'if (!_tryToGraduate(order.token, gasleft())) return (0, 0);',
    testFile: graduation,
    test: 'test_H20_buy_saysWhyItCannot',
  },
  {
    id: 'H20',
    bug: 'the limit of a last buy is scaled with what is paid',
    file: 'Trading.sol',
    from: 'limit = FullMath.mulDiv(limit, unrounded, order.amount);',
    to: 'unrounded; limit = FullMath.mulDiv(limit, fill.grossUsd, order.amount);',
    testFile: graduation,
    test: 'testFuzz_H20_smallSellInFront_doesNotBlock',
    says: 'TooLittleReceived',
  },
  {
    id: 'L1',
    bug: 'an order for all dollars overflows on the curve',
    file: 'Trading.sol',
    from: 'if (amount > Fees.MOST) amount = Fees.MOST;',
    to: '',
    testFile: curve,
    test: 'test_L1_buyExactIn_ofEverythingFillsToTheEnd',
  },
  {
    id: 'L1',
    bug: 'an order for all dollars overflows on the pool',
    file: 'Trading.sol',
    from: 'exact.toInt128(); // more',
    to: '// more',
    testFile: curve,
    test: 'test_L1_amounts_noTradePanics',
  },
  {
    id: 'L1',
    bug: "a foreign router's amount overflows in the hook",
    file: 'venues/PoolHook.sol',
    from: 'if (swap.exactUsd > Fees.MOST) revert PartialFill(swap.exactUsd, 0);',
    to: '',
    testFile: curve,
    test: 'test_L1_hook_noAmountPanics',
  },
  {
    id: 'L3',
    bug: 'two users refer each other',
    file: 'Settings.sol',
    from: `
            || referrerOf[voucher.referrer] == voucher.user;`,
    to: ';',
    testFile: curve,
    test: 'test_L3_referrer_twoDoNotReferEachOther',
  },
  {
    id: 'C1',
    bug: 'anyone opens a pool with our hook',
    file: 'venues/PoolHook.sol',
    from: `PoolKey calldata, uint160) external pure returns (bytes4) {
        revert Unauthorized(sender);`,
    to: `PoolKey calldata, uint160) external pure returns (bytes4) {
        sender;
        return IHooks.beforeInitialize.selector;`,
    testFile: opening,
    test: 'testFuzz_C1_preparedPool_withOurHookIsRefused',
  },
  {
    id: 'C1',
    bug: 'anyone adds liquidity',
    file: 'venues/PoolHook.sol',
    from: `        external
        pure
        returns (bytes4)
    {
        revert Unauthorized(sender);`,
    to: `        external
        pure
        returns (bytes4)
    {
        sender;
        return IHooks.beforeAddLiquidity.selector;`,
    testFile: opening,
    test: 'test_C1_liquidity_onlyTheLaunchpadAdds',
  },
  {
    id: 'C1',
    bug: 'a pool without our hook counts',
    file: 'libraries/PoolV4.sol',
    from: 'IHooks(hook));',
    to: 'IHooks(address(0)));',
    testFile: paidFailures,
    test: 'test_paid_C1_poolMadeFirst',
  },
  {
    id: 'C2',
    bug: 'the opening price comes from the balance',
    file: 'Graduating.sol',
    from: 'seed.virtualUsd = poolType.virtualUsd + raised;',
    to: `(, bytes memory held) = usd.staticcall(abi.encodeWithSignature("balanceOf(address)", address(this)));
        seed.virtualUsd = poolType.virtualUsd + abi.decode(held, (uint256));`,
    testFile: opening,
    test: 'testFuzz_C2_donations_dontMoveTheOpening',
  },
  {
    id: 'C3',
    bug: 'the floor ends just under the opening price',
    file: 'libraries/PoolRange.sol',
    from: 'uint160 startX96 = sqrtPriceX96(poolType.virtualTokens, poolType.virtualUsd, usdIs0);',
    to: 'uint160 startX96 = sqrtPriceX96(poolType.poolTokens, poolType.virtualUsd * 2, usdIs0);',
    testFile: profit,
    test: 'test_C3_concert_buyGraduateSell_anyFloor',
  },
  {
    id: 'C3',
    bug: "the treasury's share takes a unit of the reserve with it",
    file: 'Books.sol',
    from: '_creditTreasury(tokens[i], share);',
    to: '_creditTreasury(tokens[i], share + 1);',
    testFile: authority,
    test: 'test_C3_owner_takesNothingButTheTreasurysShare',
  },
  {
    id: 'C3',
    bug: 'the owner takes liquidity out of a pool',
    file: 'venues/VenueV4.sol',
    from: '    function unlockCallback(bytes calldata data) external onlyPoolManager returns (bytes memory) {',
    to: `    function rescue(address token, uint256 liquidity) external onlyOwner {
        IPoolManager(poolManager).unlock(abi.encode(token, liquidity));
    }

    function unlockCallback(bytes calldata data) external onlyPoolManager returns (bytes memory) {
        if (data.length == 64) {
            (address token, uint256 liquidity) = abi.decode(data, (address, uint256));
            PoolKey memory key = _key(token);
            (, bytes memory result) = msg.sender.call(
                abi.encodeWithSelector(
                    IPoolManager.modifyLiquidity.selector, key, -887_200, 887_200, -int256(liquidity), 0, ""
                )
            );
            (int256 delta,) = abi.decode(result, (int256, int256));
            IPoolManager(msg.sender).take(key.currency0, owner, uint256(delta >> 128));
            IPoolManager(msg.sender).take(key.currency1, owner, uint256(int256(int128(delta))));
            return "";
        }`,
    testFile: authority,
    test: 'test_C3_C1_liquidity_noFunctionTakesItOut',
  },
  {
    id: 'C3',
    bug: 'a trade takes some of the locked liquidity along',
    file: 'libraries/PoolV4.sol',
    from: `        (int256 deltaIn, int256 deltaOut) =
            zeroForOne`,
    to: `        (, bytes memory result) = address(manager).call(
            abi.encodeWithSelector(IPoolManager.modifyLiquidity.selector, pool, -887_200, 887_200, -1e9, 0, "")
        );
        (int256 taken,) = abi.decode(result, (int256, int256));
        manager.take(pool.currency0, address(this), uint256(taken >> 128));
        manager.take(pool.currency1, address(this), uint256(int256(int128(taken))));
        (int256 deltaIn, int256 deltaOut) =
            zeroForOne`,
    testFile: invariants,
    test: 'invariant_C3_C1_liquidity_neverLeaves',
    says: 'full range stays: ',
  },
  {
    id: 'C3',
    bug: 'a curve counts more than it was paid',
    file: 'libraries/Curve.sol',
    from: 'self.reserveUsd += fill.netUsd;',
    to: 'self.reserveUsd += 2 * fill.netUsd;',
    testFile: invariants,
    test: 'invariant_C7_C3_curve_paysBackEveryTokenAndNoMore',
    says: 'never more than was paid in',
  },
  {
    id: 'C3',
    bug: 'a token is created with a unit too many',
    file: 'LaunchToken.sol',
    from: '_mint(launchpad, supply);',
    to: '_mint(launchpad, supply + 1);',
    testFile: invariants,
    test: 'invariant_X1_C3_supply_isFixed',
    says: 'supply: ',
  },
  {
    id: 'C4',
    bug: 'the pool opens at the price of the raise alone',
    file: 'Graduating.sol',
    from: 'seed.virtualUsd = poolType.virtualUsd + raised;',
    to: 'seed.virtualUsd = raised;',
    testFile: opening,
    test: 'testFuzz_C4_opening_isTheLastPriceOfTheCurve',
  },
  {
    id: 'C4',
    bug: 'the virtual dollars are paid into the pool',
    file: 'Graduating.sol',
    from: 'seed.usd = raised - poolType.creatorReward;',
    to: 'seed.usd = raised + poolType.virtualUsd - poolType.creatorReward;',
    testFile: paidFailures,
    test: 'test_paid_C4_virtualReserveIsNotMoney',
  },
  {
    id: 'C5',
    bug: 'a failing graduation fails the buy',
    file: 'Trading.sol',
    from: '_tryToGraduate(order.token, graduationGas);',
    to: 'this.graduate{gas: graduationGas}(order.token);',
    testFile: graduation,
    test: 'test_C5_failing_initialize',
  },
  {
    id: 'C5',
    bug: "the creator's reward is pushed",
    file: 'Graduating.sol',
    from: '_credit(usd, facts.creator, seed.poolType.creatorReward);',
    to: `(bool paid,) =
            usd.call(abi.encodeWithSignature("transfer(address,uint256)", facts.creator, seed.poolType.creatorReward));
        require(paid);`,
    testFile: paidFailures,
    test: 'test_paid_C5_creatorWhoCannotBePaid',
  },
  {
    id: 'C5',
    bug: 'a token graduates twice',
    file: 'Graduating.sol',
    from: 'if (reserves.graduated()) revert AlreadyGraduated(token);',
    to: '',
    testFile: graduation,
    test: 'test_C5_twice',
  },
  {
    id: 'C5',
    bug: 'a token graduates inside its window',
    file: 'Graduating.sol',
    from: 'if (block.timestamp < opensAt) revert WindowOpen(opensAt, block.timestamp);',
    to: '',
    testFile: graduation,
    test: 'test_C5_insideTheWindow_waitsForItsEnd',
  },
  {
    id: 'C5',
    bug: 'tokens that fit no position stay in the books of the lock',
    file: 'libraries/OpeningV4.sol',
    from: 'if (result.dustTokens != 0) manager.clear(Currency.wrap(seed.token), result.dustTokens);',
    to: '',
    testFile: graduation,
    test: 'test_C5_byManyInOneBlock',
  },
  {
    id: 'C6',
    bug: 'the last buy pays all that it offered',
    file: 'libraries/Curve.sol',
    from: '            fill.netUsd = usdForTokensUp(self, fill.tokens);\n            fill.grossUsd = Fees.grossOfNetUp(fill.netUsd, sumBps);',
    to: '            fill.netUsd = usdForTokensUp(self, fill.tokens);',
    testFile: curve,
    test: 'testFuzz_C6_lastBuy_costsWhatExactOutCosts',
  },
  {
    id: 'C6',
    bug: 'the last buy runs over the end',
    file: 'libraries/Curve.sol',
    from: 'fill.tokens = self.tokensLeft;',
    to: 'self.tokensLeft = fill.tokens;',
    testFile: paidFailures,
    test: 'test_paid_C6_lastBuyEndsAtTheEnd',
  },
  {
    id: 'C6',
    bug: 'the limit of the last buy does not scale',
    file: 'Trading.sol',
    from: 'limit = FullMath.mulDiv(limit, unrounded, order.amount);',
    to: 'unrounded;',
    testFile: curve,
    test: 'testFuzz_C6_lastBuy_limitScalesWithIt',
  },
  {
    id: 'C7',
    bug: 'tokens of a buy round up',
    file: 'libraries/Curve.sol',
    from: 'return self.virtualTokens * usdIn / (self.virtualUsd + usdIn);',
    to: 'return Fees.ceilDiv(self.virtualTokens * usdIn, self.virtualUsd + usdIn);',
    testFile: curve,
    test: 'testFuzz_C7_product_neverFalls',
  },
  {
    id: 'C7',
    bug: 'the cost of exact tokens rounds down',
    file: 'libraries/Curve.sol',
    from: 'Fees.ceilDiv(self.virtualUsd * tokensOut, self.virtualTokens - tokensOut);',
    to: 'self.virtualUsd * tokensOut / (self.virtualTokens - tokensOut);',
    testFile: curve,
    test: 'testFuzz_C7_product_neverFalls',
  },
  {
    id: 'C7',
    bug: 'the dollars of a sell round up',
    file: 'libraries/Curve.sol',
    from: 'return self.virtualUsd * tokensIn / (self.virtualTokens + tokensIn);',
    to: 'return Fees.ceilDiv(self.virtualUsd * tokensIn, self.virtualTokens + tokensIn);',
    testFile: curve,
    test: 'testFuzz_C7_product_neverFalls',
  },
  {
    id: 'C7',
    bug: 'the tokens of an exact sell round down',
    file: 'libraries/Curve.sol',
    from: 'Fees.ceilDiv(self.virtualTokens * usdOut, self.virtualUsd - usdOut);',
    to: 'self.virtualTokens * usdOut / (self.virtualUsd - usdOut);',
    testFile: curve,
    test: 'testFuzz_C7_product_neverFalls',
  },
  {
    id: 'C7',
    bug: 'zero trades run',
    file: 'libraries/Curve.sol',
    from: 'if (fill.tokens == 0 || fill.netUsd == 0) revert ILaunchpad.ZeroAmount();',
    to: '',
    testFile: curve,
    test: 'test_C7_zeroTradesRevert',
  },
  {
    id: 'C8',
    bug: 'trades without a guard',
    file: 'Trading.sol',
    from: '        private\n        nonReentrant\n        before(order.deadline)',
    to: '        private\n        before(order.deadline)',
    testFile: authority,
    test: 'test_C8_reentry_everyFunctionFromEveryCallback',
  },
  {
    id: 'C8',
    bug: 'withdraw without a guard',
    file: 'FeeVault.sol',
    from: 'uint256 amount) external nonReentrant returns (uint256 paid)',
    to: 'uint256 amount) external returns (uint256 paid)',
    testFile: authority,
    test: 'test_C8_reentry_everyFunctionFromEveryCallback',
  },
  {
    id: 'C8',
    bug: 'graduate without a guard',
    file: 'Graduating.sol',
    from: 'function graduate(address token) external nonReentrant {',
    to: 'function graduate(address token) external {',
    testFile: authority,
    test: 'test_C8_reentry_everyFunctionFromEveryCallback',
  },
  {
    id: 'C9',
    bug: 'the recipient pays',
    file: 'Trading.sol',
    from: 'usd.safeTransferFrom(msg.sender, address(this), onCurve',
    to: 'usd.safeTransferFrom(order.recipient, address(this), onCurve',
    testFile: authority,
    test: 'testFuzz_C9_approvals_moveOnlyForTheirOwner',
  },
  {
    id: 'C9',
    bug: 'anyone plays the PoolManager',
    file: 'venues/PoolHook.sol',
    from: 'if (msg.sender != poolManager) revert Unauthorized(msg.sender);',
    to: 'if (msg.sender == poolManager) revert Unauthorized(msg.sender);',
    testFile: authority,
    test: 'test_C9_unlockCallback_answersThePoolManagerOnly',
  },
  {
    id: 'C9',
    bug: "anyone moves anyone's tokens",
    file: 'LaunchToken.sol',
    from: 'function launchpadTransfer(address from, address to, uint256 amount) external only(launchpad) {',
    to: 'function launchpadTransfer(address from, address to, uint256 amount) external {',
    testFile: authority,
    test: 'test_C9_launchToken_givesNobodyARight',
  },
  {
    id: 'C9',
    bug: 'Permit2 is trusted by default',
    file: 'LaunchToken.sol',
    from: 'return false;',
    to: 'return true;',
    testFile: authority,
    test: 'test_C9_launchToken_givesNobodyARight',
  },
  {
    id: 'C9',
    bug: "multicall forwards its caller's data to the dollar",
    file: 'Launchpad.sol',
    from: 'address(this).delegatecall(calls[i]);',
    to: 'usd.call(calls[i]);',
    testFile: paidFailures,
    test: 'test_paid_C9_noCallOfTheCallersChoice',
  },
  {
    id: 'C9',
    bug: 'a builder who is named pays',
    file: 'Trading.sol',
    from: 'usd.safeTransferFrom(msg.sender, address(this), onCurve',
    to: 'usd.safeTransferFrom(order.builder == address(0) ? msg.sender : order.builder, address(this), onCurve',
    testFile: invariants,
    test: 'invariant_C9_victims_keepWhatTheyHave',
    says: "victim's dollars",
  },
  {
    id: 'C10',
    bug: 'multicall acts as the contract',
    file: 'Launchpad.sol',
    from: 'address(this).delegatecall(calls[i]);',
    to: 'address(this).call(calls[i]);',
    testFile: authority,
    test: 'test_C10_multicall_actsAsItsCallerOnly',
  },
  {
    id: 'C11',
    bug: 'the window is a second short',
    file: 'libraries/Fees.sol',
    from: 'WINDOW_SECONDS = 6;',
    to: 'WINDOW_SECONDS = 5;',
    testFile: curve,
    test: 'test_C11_window_everySecondAndEveryPath',
  },
  {
    id: 'C11',
    bug: 'the creator buys without the opening fee',
    file: 'Trading.sol',
    from: 'terms.feeBps = kind.isBuy() ?',
    to: 'terms.feeBps = kind.isBuy() && msg.sender != facts.creator ?',
    testFile: curve,
    test: 'test_C11_window_initialBuyOfTheCreationPays',
  },
  {
    id: 'C11',
    bug: 'the fee rounds down',
    file: 'libraries/Fees.sol',
    from: 'return ceilDiv(grossUsd * sumBps, BPS);',
    to: 'return grossUsd * sumBps / BPS;',
    testFile: curve,
    test: 'test_C11_window_everySecondAndEveryPath',
  },
  {
    id: 'C12',
    bug: 'fees may be more than the amount',
    file: 'libraries/Fees.sol',
    from: 'if (sum >= BPS) revert ILaunchpad.FeesExceedAmount(sum);',
    to: '',
    testFile: curve,
    test: 'testFuzz_C12_fees_aboveTheAmountRevert',
  },
  {
    id: 'C12',
    bug: 'the limit of a sell is before fees',
    file: 'Trading.sol',
    from: 'uint256 received = isBuy ? fill.tokens : fill.netUsd;',
    to: 'uint256 received = isBuy ? fill.tokens : fill.netUsd + fill.netUsd / 50;',
    testFile: curve,
    test: 'testFuzz_C12_limits_areAfterFees',
  },
  {
    id: 'C12',
    bug: "the builder's fee is ten times what the call says",
    file: 'libraries/Fees.sol',
    from: 'parts.builder = grossUsd * builderBps / BPS;',
    to: 'parts.builder = grossUsd * builderBps / 1000;',
    testFile: curve,
    test: 'testFuzz_C12_C13_fees_sumAndNoneIsMore',
  },
  {
    id: 'C13',
    bug: 'traders refer themselves',
    file: 'Trading.sol',
    from: 'if (order.referral != msg.sender) terms.referral = order.referral;',
    to: 'terms.referral = order.referral;',
    testFile: curve,
    test: 'test_C13_selfReferral_countsAsNone',
  },
  {
    id: 'C13',
    bug: 'the referral is paid on top of the fee',
    file: 'libraries/Fees.sol',
    from: 'CREATOR_WITH_REFERRAL_BPS = 35;',
    to: 'CREATOR_WITH_REFERRAL_BPS = 50;',
    testFile: curve,
    test: 'testFuzz_C12_C13_fees_sumAndNoneIsMore',
  },
  {
    id: 'C13',
    bug: 'a voucher names its own user',
    file: 'Settings.sol',
    from: ' || voucher.referrer == voucher.user',
    to: '',
    testFile: curve,
    test: 'test_C13_referrer_nobodyRefersHimself',
  },
  {
    id: 'C14',
    bug: 'a credit is paid again and again',
    file: 'FeeVault.sol',
    from: '_credits[currency][msg.sender] = credit - paid;',
    to: '',
    testFile: vault,
    test: 'testFuzz_C14_withdrawBatch_duplicatesPayOnce',
  },
  {
    id: 'C14',
    bug: 'more than the credit is paid',
    file: 'FeeVault.sol',
    from: 'if (paid > credit) revert InsufficientCredit(currency, paid, credit);',
    to: 'if (paid > credit) credit = paid;',
    testFile: vault,
    test: 'testFuzz_C14_withdraw_aboveTheCreditReverts',
  },
  {
    id: 'C14',
    bug: 'the excess of the window is promised twice',
    file: 'Books.sol',
    from: 'launch.floorUsd += parts.excess;',
    to: 'launch.floorUsd += 2 * parts.excess;',
    testFile: vault,
    test: 'testFuzz_C14_balance_coversEveryCredit',
  },
  {
    id: 'C14',
    bug: 'the excess of the window is promised twice',
    file: 'Books.sol',
    from: 'launch.floorUsd += parts.excess;',
    to: 'launch.floorUsd += 2 * parts.excess;',
    testFile: invariants,
    test: 'invariant_C14_C13_held_isOwed',
  },
  {
    id: 'C14',
    bug: 'a sell takes no tokens',
    file: 'Trading.sol',
    from: 'if (onCurve) _pullTokens(order.token, msg.sender, address(this), fill.tokens);',
    to: '',
    testFile: paidFailures,
    test: 'test_paid_C14_launchesDontShareMoney',
  },
  {
    id: 'C15',
    bug: 'anyone records a foreign swap',
    file: 'venues/PoolHook.sol',
    from: ') external onlyPoolManager nonReentrant returns (bytes4, int128) {',
    to: ') external nonReentrant returns (bytes4, int128) {',
    testFile: vault,
    test: 'testFuzz_C15_foreignSwap_onlyThePoolManagerTells',
  },
  {
    id: 'C15',
    bug: 'the hook takes less than is credited',
    file: 'venues/PoolHook.sol',
    from: 'take(Currency.wrap(usd), address(this), fee);',
    to: 'take(Currency.wrap(usd), address(this), --fee);',
    testFile: vault,
    test: 'testFuzz_C15_foreignSwap_partsAreWhatArrived',
  },
  {
    id: 'C15',
    bug: 'a dollar that arrives short passes',
    file: 'deploy/DollarCheck.sol',
    from: 'left != kept || arrived != sent',
    to: 'left != kept',
    testFile: vault,
    test: 'test_C15_oddDollars_rejectedOrExact',
  },
  {
    id: 'C16',
    bug: "a token's address does not depend on its creator",
    file: 'Launchpad.sol',
    from: 'keccak256(abi.encode(block.chainid, creator, salt))',
    to: 'keccak256(abi.encode(block.chainid, salt))',
    testFile: authority,
    test: 'test_C16_create_1000CopiesInFrontChangeNothing',
  },
  {
    id: 'C16',
    bug: 'the implementation can be initialised',
    file: 'LaunchToken.sol',
    from: 'address(this) == _implementation || ',
    to: '',
    testFile: authority,
    test: 'test_C16_initialize_onceAndNeverTheImplementation',
  },
  {
    id: 'C17',
    bug: 'the price is inverted',
    file: 'libraries/PoolRange.sol',
    from: 'uint256 priceX192 = usdIs0',
    to: 'uint256 priceX192 = !usdIs0',
    testFile: opening,
    test: 'test_C17_opening_priceIsNotInverted',
  },
  {
    id: 'C17',
    bug: 'the price knows one order only',
    file: 'libraries/PoolRange.sol',
    from: 'uint256 priceX192 = usdIs0',
    to: 'uint256 priceX192 = usdIs0 || virtualUsd != 0',
    testFile: paidFailures,
    test: 'test_paid_C17_tokenSortsBelowTheDollar',
  },
  {
    id: 'C17',
    bug: 'the floor knows one order only',
    file: 'libraries/PoolRange.sol',
    from: 'if (!usdIs0) return (MIN_TICK, aligned);',
    to: '',
    testFile: opening,
    test: 'test_C17_floor_isBelowThePriceInBothOrders',
  },
  {
    id: 'C18',
    bug: 'anyone sets the treasury',
    file: 'Settings.sol',
    from: 'function setTreasury(address newTreasury) external onlyOwner {',
    to: 'function setTreasury(address newTreasury) external {',
    testFile: authority,
    test: 'testFuzz_C18_settings_areTheOwners',
  },
  {
    id: 'C18',
    bug: 'a new privileged function',
    file: 'Books.sol',
    from: '    /// @inheritdoc ILaunchpad\n    function collectTreasury(',
    to: `    function sweep(address to) external onlyOwner {
        _credit(usd, to, IERC20Metadata(usd).balanceOf(address(this)));
    }

    /// @inheritdoc ILaunchpad
    function collectTreasury(`,
    testFile: authority,
    test: 'test_C18_functions_areTheKnownOnes',
  },
  {
    id: 'C19',
    bug: 'a source for older compilers',
    file: 'FeeVault.sol',
    from: 'pragma solidity ^0.8.34;',
    to: 'pragma solidity ^0.8.24;',
    testFile: platform,
    test: 'test_C19_compiler_isAtLeast0834',
  },
  {
    id: 'C20',
    bug: 'a dollar has 6 decimals everywhere',
    file: 'Books.sol',
    from: '_oneUsd = 10 ** decimals;',
    to: '_oneUsd = 1e6;',
    testFile: platform,
    test: 'test_C20_decimals_18',
  },
  {
    id: 'C20',
    bug: 'dollars of any decimals are taken',
    file: 'Books.sol',
    from: 'if (decimals < 6 || decimals > 18) revert UnsupportedDecimals(decimals);',
    to: '',
    testFile: platform,
    test: 'test_C20_decimals_outOfRangeAreRefused',
  },
  {
    id: 'C21',
    bug: 'trades have no deadline',
    file: 'Trading.sol',
    from: '        nonReentrant\n        before(order.deadline)',
    to: '        nonReentrant',
    testFile: curve,
    test: 'testFuzz_C21_deadline_nothingRunsAfterIt',
  },
  {
    id: 'C21',
    bug: 'creations have no deadline',
    file: 'Launchpad.sol',
    from: '        before(params.deadline)',
    to: '',
    testFile: curve,
    test: 'test_C21_deadline_creationToo',
  },
  {
    id: 'C21',
    bug: 'exact-out trades have no limit',
    file: 'Trading.sol',
    from: 'if (paid > limit) revert TooMuchPaid(paid, limit);',
    to: '',
    testFile: curve,
    test: 'testFuzz_C21_limit_inEveryTrade',
  },
  {
    id: 'C22',
    bug: 'a used permit fails the call',
    file: 'Launchpad.sol',
    from: 'try IERC20Permit(usd).permit(msg.sender, address(this), value, deadline, v, r, s) {} catch {}',
    to: 'IERC20Permit(usd).permit(msg.sender, address(this), value, deadline, v, r, s);',
    testFile: authority,
    test: 'test_C22_permit_usedBySomebodyElseFirst',
  },
];
