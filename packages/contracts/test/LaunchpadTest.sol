// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {LaunchToken} from "../src/LaunchToken.sol";
import {Launchpad} from "../src/Launchpad.sol";
import {LaunchTokenV3} from "../src/LaunchTokenV3.sol";
import {LaunchpadV3} from "../src/LaunchpadV3.sol";
import {LaunchpadV4} from "../src/LaunchpadV4.sol";
import {LensV3} from "../src/LensV3.sol";
import {LensV4} from "../src/LensV4.sol";
import {TestUSD} from "../src/TestUSD.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {ILens} from "../src/interfaces/ILens.sol";
import {Fees} from "../src/libraries/Fees.sol";
import {PoolType, PoolTypes} from "../src/libraries/PoolTypes.sol";
import {ExchangeV3} from "../src/libraries/PoolV3.sol";
import {PoolV4} from "../src/libraries/PoolV4.sol";
import {TokenFactory} from "../src/TokenFactory.sol";
import {Exchanges} from "./venue/Exchanges.sol";

/// @notice The whole system around the real PoolManager bytecode, with helpers that read like the product's words.
abstract contract LaunchpadTest is Exchanges {
    uint256 internal constant GRADUATION_GAS = 600_000;
    uint256 internal constant FOREVER = type(uint256).max;
    address internal constant DEAD = 0x000000000000000000000000000000000000dEaD;

    address internal owner = makeAddr("owner");
    address internal treasury = makeAddr("treasury");
    address internal creator = makeAddr("creator");
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");
    address internal builder = makeAddr("builder");
    address internal referral = makeAddr("referral");
    address internal referrer = makeAddr("referrer");
    address internal bridge = makeAddr("bridge");
    uint256 internal signerKey = 0xA11CE;

    TestUSD internal usd;
    /// @dev Which exchange the system is made on. With another than Uniswap v4 `launchpad` and `lens` still have these types, and
    /// are used by what both venues have.
    VenueKind internal venueKind;
    IPoolManager internal manager;
    ExchangeV3 internal exchange;
    LaunchpadV4 internal launchpad;
    LensV4 internal lens;
    uint256 internal oneUsd;

    uint256 private _salts;
    uint256 private _launchpads;

    function setUp() public virtual {
        vm.warp(1_700_000_000);
        _deploySystem(6);
    }

    /// @dev The IR pipeline takes `block.timestamp` for a constant of the transaction, which a test is.
    function skip(uint256 time) internal override {
        vm.warp(vm.getBlockTimestamp() + time);
    }

    // ---------------------------------------------------------------- system

    function _deploySystem(uint8 decimals) internal {
        oneUsd = 10 ** decimals;
        usd = new TestUSD("Test Dollar", "USDC", decimals);
        if (venueKind != VenueKind.UniswapV4) return _deploySystemV3();
        manager = _deployPoolManager(owner);
        launchpad = _deployLaunchpad(address(usd), address(manager), GRADUATION_GAS);
        lens = new LensV4(address(launchpad));
    }

    function _deploySystemV3() private {
        exchange = _deployExchange(venueKind);
        address at = _hookAddress();
        address factory = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        LaunchTokenV3 implementation = new LaunchTokenV3(factory, at, bridge, address(usd), exchange);
        assertEq(address(new TokenFactory(address(implementation), at, bridge)), factory);
        bytes memory arguments = abi.encode(_config(address(usd), factory, 0), exchange);
        _place(at, abi.encodePacked(type(LaunchpadV3).creationCode, arguments));
        launchpad = LaunchpadV4(at);
        lens = LensV4(address(new LensV3(at)));
    }

    function _deployLaunchpad(address usd_, address manager_, uint256 graduationGas) internal returns (LaunchpadV4) {
        address at = _hookAddress();
        address factory = _deployFactory(at);
        _place(at, abi.encodePacked(type(LaunchpadV4).creationCode, abi.encode(_config(usd_, factory, graduationGas), manager_)));
        return LaunchpadV4(at);
    }

    function _config(address usd_, address factory, uint256 graduationGas)
        internal
        view
        returns (Launchpad.Config memory)
    {
        return Launchpad.Config({
            usd: usd_,
            factory: factory,
            owner: owner,
            treasury: treasury,
            voucherSigner: vm.addr(signerKey),
            testPoolType: true,
            graduationGas: graduationGas
        });
    }

    /// @notice An address with the hook's permission bits; another one for every deployment.
    function _hookAddress() internal returns (address) {
        uint160 random = uint160(uint256(keccak256(abi.encode("launchpad", ++_launchpads))));
        return address((random & ~uint160(0x3FFF)) | 0x28CC);
    }

    function _deployFactory(address launchpad_) internal returns (address factory) {
        factory = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        LaunchToken implementation = new LaunchToken(factory, launchpad_, bridge);
        assertEq(address(new TokenFactory(address(implementation), launchpad_, bridge)), factory);
    }

    /// @notice Runs creation code at an address of our choice, as CREATE3 does.
    function _place(address at, bytes memory creationCode) internal {
        vm.etch(at, creationCode);
        (bool ok, bytes memory runtimeCode) = at.call("");
        if (!ok) {
            vm.etch(at, "");
            assembly ("memory-safe") {
                revert(add(runtimeCode, 0x20), mload(runtimeCode))
            }
        }
        vm.etch(at, runtimeCode);
    }

    // ---------------------------------------------------------------- tokens

    /// @param usdIs0 Order of the pair: the salt is tried until the token sorts so.
    function _create(uint8 poolType, bool usdIs0) internal returns (address token) {
        ILaunchpad.TokenParams memory params = _params(poolType);
        while ((address(usd) < launchpad.tokenAddress(creator, params.salt)) != usdIs0) params.salt = _nextSalt();
        vm.prank(creator);
        token = launchpad.create(params);
    }

    /// @notice A token whose opening window is over.
    function _createOld(uint8 poolType, bool usdIs0) internal returns (address token) {
        token = _create(poolType, usdIs0);
        skip(Fees.WINDOW_SECONDS);
    }

    /// @notice A token in its pool; the creator holds the whole curve's tokens.
    function _createGraduated(uint8 poolType, bool usdIs0) internal returns (address token) {
        token = _createOld(poolType, usdIs0);
        _buyToEnd(token, creator);
        assertTrue(launchpad.stateOf(token).graduated, "graduated");
    }

    function _params(uint8 poolType) internal returns (ILaunchpad.TokenParams memory) {
        return ILaunchpad.TokenParams("Example Token", "EXMPL", "ipfs://example", _nextSalt(), poolType, FOREVER);
    }

    function _nextSalt() internal returns (bytes32) {
        return bytes32(++_salts);
    }

    // ---------------------------------------------------------------- trades

    /// @notice A plain order of `msg.sender` to be pranked: no limit, nobody else earns.
    function _order(address token, uint256 amount, address trader) internal pure returns (ILaunchpad.Order memory) {
        return ILaunchpad.Order(token, amount, 0, trader, address(0), 0, address(0), FOREVER);
    }

    function _fund(address trader, uint256 amount) internal {
        usd.mint(trader, amount);
        vm.prank(trader);
        usd.approve(address(launchpad), type(uint256).max);
    }

    function _buy(address token, address trader, uint256 usdIn) internal returns (uint256 paid, uint256 tokens) {
        return _buy(_order(token, usdIn, trader), trader);
    }

    function _buy(ILaunchpad.Order memory order, address trader) internal returns (uint256 paid, uint256 tokens) {
        _fund(trader, order.amount);
        vm.prank(trader);
        return launchpad.buyExactIn(order);
    }

    function _buyOut(address token, address trader, uint256 tokens) internal returns (uint256 paid, uint256 received) {
        ILaunchpad.Order memory order = _order(token, tokens, trader);
        order.limit = type(uint256).max;
        _fund(trader, 1_000_000_000 * oneUsd);
        vm.prank(trader);
        return launchpad.buyExactOut(order);
    }

    /// @dev On a v3 exchange the graduation is left to whoever comes next: making a pool costs millions of gas.
    function _buyToEnd(address token, address trader) internal returns (uint256 paid, uint256 tokens) {
        (paid, tokens) = _buy(token, trader, 1_000_000 * oneUsd);
        if (venueKind != VenueKind.UniswapV4) launchpad.graduate(token);
    }

    function _sell(address token, address trader, uint256 tokens) internal returns (uint256 sold, uint256 received) {
        vm.prank(trader);
        return launchpad.sellExactIn(_order(token, tokens, trader));
    }

    function _sellOut(address token, address trader, uint256 usdOut) internal returns (uint256 sold, uint256 received) {
        ILaunchpad.Order memory order = _order(token, usdOut, trader);
        order.limit = type(uint256).max;
        vm.prank(trader);
        return launchpad.sellExactOut(order);
    }

    function _setReferrer(address user, address referrer_) internal {
        ILaunchpad.Voucher memory voucher = ILaunchpad.Voucher(user, referrer_, _inAnHour());
        launchpad.setReferrer(voucher, _sign(voucher, signerKey));
    }

    /// @notice As late as a voucher may end.
    function _inAnHour() internal view returns (uint256) {
        return vm.getBlockTimestamp() + 1 hours;
    }

    function _sign(ILaunchpad.Voucher memory voucher, uint256 key) internal view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("MintageLaunchpad"),
                keccak256("1"),
                block.chainid,
                address(launchpad)
            )
        );
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Voucher(address user,address referrer,uint256 deadline)"),
                voucher.user,
                voucher.referrer,
                voucher.deadline
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    // ---------------------------------------------------------------- reading

    function _poolKey(address token) internal view returns (PoolKey memory) {
        return PoolV4.key(address(usd), token, address(launchpad));
    }

    function _credit(address account) internal view returns (uint256) {
        return launchpad.creditOf(address(usd), account);
    }

    function _view(address token) internal view returns (ILens.TokenView memory tokenView) {
        (,, tokenView,) = lens.quoteState(token, address(0));
    }

    function _poolType(address token) internal view returns (PoolType memory) {
        return PoolTypes.get(launchpad.stateOf(token).poolType, oneUsd);
    }

    /// @notice What the Launchpad owes for one token: curve reserve, floor and treasury share.
    function _owedFor(address token) internal view returns (uint256) {
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        return state.usd + state.floorUsd + state.treasuryShare;
    }
}
