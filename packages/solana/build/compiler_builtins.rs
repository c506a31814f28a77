//! What the compiler expects beside `core`: routines for arithmetic and memory that a machine lacks. It is empty, so a program that
//! would call one has an undefined symbol, which the packer refuses.
#![feature(compiler_builtins)]
#![compiler_builtins]
#![no_std]
#![allow(internal_features)]
