import { wasmModule, type WasmFunction } from './wasm-writer.ts'

/** The unit in which memories grow. */
export const PAGE_BYTES = 65_536

/** The part of the API in use, which the types of Node.js lack. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory
}

/** A WebAssembly memory of the kernels. */
export interface WasmMemory {
  /** Replaced by `grow`. */
  readonly buffer: ArrayBuffer
  /** @param pages of 64 KiB */
  grow(pages: number): number
}

const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyApi })
  .WebAssembly

/** @returns compiled functions; see `instanceOver` */
export function compile(functions: readonly WasmFunction[]): object {
  return new Module(wasmModule(functions))
}

/** Instantiates compiled functions over this memory. */
export function instanceOver(compiled: object, memory: WasmMemory): object {
  return new Instance(compiled, { env: { memory } }).exports
}

/** @param pages of 64 KiB */
export function newMemory(pages: number): WasmMemory {
  return new Memory({ initial: pages })
}
