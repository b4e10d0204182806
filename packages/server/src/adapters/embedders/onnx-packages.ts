import { createRequire } from 'node:module'

/**
 * What runs a model folder. It takes 290 MB, most of it libraries for other systems, so it is not
 * installed with Aisle (docs/decisions/0028-embedders.md). Types of the parts that are used are
 * here, because the packages may be missing.
 */
const PACKAGES = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0'] as const

/** Without scripts: the one of the runtime downloads libraries for graphics cards. */
const INSTALL = `npm install --ignore-scripts --no-save ${PACKAGES.join(' ')}`

export interface Tensor {
  readonly type: string
  readonly data: unknown
  readonly dims: readonly number[]
}

export interface InferenceSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

export interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: object): Promise<InferenceSession>
  }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
}

export interface TokenizersPackage {
  readonly Tokenizer: new (json: object, config: object) => Tokenizer
}

export interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] }
}

export class OnnxPackagesError extends Error {
  override readonly name = 'OnnxPackagesError'
}

/** Packages beside Aisle, or in a folder of the variable NODE_PATH. */
const load = createRequire(import.meta.url)

/** @throws OnnxPackagesError with the command that installs them */
export function requireOnnxPackages(): void {
  for (const pinned of PACKAGES) {
    const name = nameOf(pinned)
    try {
      load.resolve(name)
    } catch (error) {
      throw new OnnxPackagesError(
        `An embedder with a model folder needs the package ${name}. Install it next to Aisle: ${INSTALL}`,
        { cause: error },
      )
    }
  }
}

export function loadOnnxRuntime(): OnnxRuntime {
  return load(nameOf(PACKAGES[0])) as OnnxRuntime
}

export function loadTokenizers(): TokenizersPackage {
  return load(nameOf(PACKAGES[1])) as TokenizersPackage
}

function nameOf(pinned: string): string {
  return pinned.slice(0, pinned.lastIndexOf('@'))
}
