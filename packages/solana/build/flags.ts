/** What decides the bytes of a program besides its sources: every option of the compiler, without the paths of this machine. */

const common = ['-Zunstable-options', '--edition=2024', '-Copt-level=3', '-Cpanic=abort', '-Ccodegen-units=1'];

/** Of `core` and `compiler_builtins`, kept as LLVM's bitcode: they are compiled together with each program. */
export const libraryFlags = [...common, '--crate-type=rlib', '-Clinker-plugin-lto', '--cap-lints=allow'];

/** Of a program: one object of everything, and arithmetic that overflows ends it. */
export const programFlags = [...common, '--crate-type=cdylib', '-Clto=fat', '-Coverflow-checks=on'];
