// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "../../packages/contracts/src/interfaces/ILaunchpad.sol";

interface IDollar {
    function mint(address to, uint256 amount) external;
    function approve(address spender, uint256 amount) external returns (bool);
}

interface IToken {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @title Member: a wallet that does what its crowd says.
contract Member {
    address private immutable crowd = msg.sender;

    function act(address to, bytes calldata data) external returns (bool ok) {
        require(msg.sender == crowd);
        (ok,) = to.call(data);
    }
}

/// @title Crowd: many wallets that trade on the real Launchpad, many acts in a transaction, so that a long history is
/// made in a minute. Every choice follows from the acts before, so the same calls give the same history.
contract Crowd {
    ILaunchpad private immutable launchpad;
    address private immutable usd;
    uint256 private immutable dollar;
    Member[] private members;
    address[] public tokens;
    uint256 private acts;

    constructor(ILaunchpad launchpad_, uint256 dollar_) {
        launchpad = launchpad_;
        usd = launchpad_.usd();
        dollar = dollar_;
    }

    function enrol(uint256 count) external {
        for (uint256 i; i < count; ++i) {
            Member member = new Member();
            members.push(member);
            IDollar(usd).mint(address(member), 10_000_000 * dollar);
            member.act(usd, abi.encodeCall(IDollar.approve, (address(launchpad), type(uint256).max)));
        }
    }

    function create(string calldata name, string calldata symbol) external {
        Member creator = members[tokens.length % members.length];
        bytes32 salt = bytes32(tokens.length);
        address token = launchpad.tokenAddress(address(creator), salt);
        tokens.push(token);
        ILaunchpad.TokenParams memory params =
            ILaunchpad.TokenParams(name, symbol, "ipfs://crowd", salt, 7, type(uint256).max);
        require(creator.act(address(launchpad), abi.encodeCall(ILaunchpad.create, (params))), "create");
    }

    /// @notice One buy of a token's creator. The last of a curve moves it to its pool.
    /// @param usdIn Whole dollars.
    function buy(uint256 index, uint256 usdIn) external {
        require(_buy(members[index % members.length], tokens[index], usdIn * dollar, 0), "buy");
    }

    /// @notice `count` trades of members, each one at random, and now and then a transfer between two of them.
    function trade(uint256 count) external {
        uint256 first = acts;
        acts = first + count;
        for (uint256 i = first; i < first + count; ++i) {
            uint256 dice = uint256(keccak256(abi.encode(i)));
            Member member = members[(dice >> 16) % members.length];
            address token = tokens[(dice >> 48) % tokens.length];
            uint256 held = IToken(token).balanceOf(address(member));
            if (held > 1e18 && dice % 2 == 0) {
                uint256 part = held * (30 + (dice >> 80) % 71) / 100;
                member.act(address(launchpad), abi.encodeCall(ILaunchpad.sellExactIn, (_order(member, token, part, dice))));
                if (dice % 32 == 0) {
                    address to = address(members[(dice >> 96) % members.length]);
                    member.act(token, abi.encodeCall(IToken.transfer, (to, (held - part) / 2)));
                }
            } else {
                _buy(member, token, dollar + (dice >> 112) % (40 * dollar), dice);
            }
        }
    }

    function _buy(Member member, address token, uint256 usdIn, uint256 dice) private returns (bool) {
        return member.act(address(launchpad), abi.encodeCall(ILaunchpad.buyExactIn, (_order(member, token, usdIn, dice))));
    }

    /// @dev A third through a builder, a third with a referral.
    function _order(Member member, address token, uint256 amount, uint256 dice)
        private
        view
        returns (ILaunchpad.Order memory)
    {
        bool isBuilt = (dice >> 160) % 3 == 0;
        address builder = isBuilt ? address(members[(dice >> 168) % 5]) : address(0);
        address referral = (dice >> 200) % 3 == 0 ? address(members[(dice >> 208) % members.length]) : address(0);
        return ILaunchpad.Order(
            token, amount, 0, address(member), builder, isBuilt ? 50 : 0, referral, type(uint256).max
        );
    }
}
