import { wasmModule, type WasmFunction } from './wasm-writer.ts'

/** Memories grow by so much. */
export const PAGE_BYTES = 65_536

/** The part in use. The types of Node.js do not have it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory
}

export interface WasmMemory {
  /** Another one after `grow`. */
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

/** The exports of compiled functions that read and write this memory. */
export function instanceOver(compiled: object, memory: WasmMemory): object {
  return new Instance(compiled, { env: { memory } }).exports
}

/** @param pages of 64 KiB */
export function newMemory(pages: number): WasmMemory {
  return new Memory({ initial: pages })
}
