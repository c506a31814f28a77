/** What decides the bytes of a program besides its sources: the compiler, and every option of it, without the paths of this machine. */

/** The one compiler that makes the committed bytes: another version may make others of the same sources. */
export const compilerVersion = '1.96.0+dfsg1-1~deb12u2';

const common = ['-Zunstable-options', '--edition=2024', '-Copt-level=3', '-Cpanic=abort', '-Ccodegen-units=1'];

/** Of `core` and `compiler_builtins`, kept as LLVM's bitcode: they are compiled together with each program. */
export const libraryFlags = [...common, '--crate-type=rlib', '-Clinker-plugin-lto', '--cap-lints=allow'];

/** Of a program: one object of everything, and arithmetic that overflows ends it. */
export const programFlags = [...common, '--crate-type=cdylib', '-Clto=fat', '-Coverflow-checks=on'];
