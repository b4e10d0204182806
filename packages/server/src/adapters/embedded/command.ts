import { ApiError } from '@aisle/contract'
import type { ErrorCode, ErrorDetail } from '@aisle/contract'
import type { Field } from '@aisle/engine'
import type {
  DocumentVersion,
  KeyKind,
  KeyUse,
  ResourceChange,
  VersionChange,
} from '../../ports/catalog-writer.ts'
import type { AccessKeeper } from '../../ports/access-keeper.ts'
import type { PackedWrites } from './packed-writes.ts'

/** A call of CatalogWriter on its way from a serving thread to the writer. */
export type Command =
  | { readonly kind: 'createStore'; readonly name: string; readonly id: string | undefined }
  | { readonly kind: 'deleteStore'; readonly storeId: string }
  | { readonly kind: 'renameStore'; readonly storeId: string; readonly name: string }
  | {
      readonly kind: 'rotateKey'
      readonly storeId: string
      readonly keyKind: KeyKind
      readonly graceSeconds: number
    }
  | { readonly kind: 'revokePreviousKey'; readonly storeId: string; readonly keyKind: KeyKind }
  | { readonly kind: 'noteKeyUses'; readonly uses: readonly KeyUse[] }
  | {
      readonly kind: 'changeSchema'
      readonly storeId: string
      readonly mode: 'additive' | 'replace'
      readonly fields: readonly Field[]
    }
  | {
      readonly kind: 'changeResources'
      readonly storeId: string
      readonly change: ResourceChange
      readonly language: string | undefined
    }
  | { readonly kind: 'writeDocuments'; readonly storeId: string; readonly writes: PackedWrites }
  | { readonly kind: 'deleteDocument'; readonly storeId: string; readonly id: string }
  | {
      readonly kind: 'changeVersions'
      readonly storeId: string
      readonly versions: readonly DocumentVersion[]
      readonly change: VersionChange
    }
  /** A call of SnapshotKeeper. */
  | { readonly kind: 'snapshot'; readonly call: SnapshotCall; readonly name: string }
  /** A call of AccessKeeper. */
  | { readonly kind: 'access'; readonly call: keyof AccessKeeper; readonly request: unknown }
  | { readonly kind: 'clearDocuments'; readonly storeId: string }

export type SnapshotCall = 'create' | 'list' | 'verify' | 'remove'

export interface CommandMessage {
  readonly callId: number
  readonly command: Command
}

export type AnswerMessage =
  | { readonly callId: number; readonly result: unknown }
  | { readonly callId: number; readonly error: PortableError }

/** An ApiError in a form that survives the way between threads. */
export interface PortableError {
  readonly code: ErrorCode
  readonly message: string
  readonly param: string | undefined
  readonly details: readonly ErrorDetail[]
  readonly retryAfterSeconds: number | undefined
}

export function toPortable(error: ApiError): PortableError {
  const { code, message, param, details, retryAfterSeconds } = error
  return { code, message, param, details, retryAfterSeconds }
}

export function fromPortable(error: PortableError): ApiError {
  const { code, message, param, details, retryAfterSeconds } = error
  return new ApiError(code, message, {
    param,
    details,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
