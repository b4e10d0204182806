/**
 * `@aisle/server/domain`: the rules that do not depend on the storage, as far as another storage
 * needs them.
 */
export { AccessTable } from '../domain/access/access-table.ts'
export type { AccessChange, SessionRecord, UserRow } from '../domain/access/access-table.ts'
export type { AuditEntry, AuditFilter } from '../domain/access/audit.ts'
export type { PasswordCost } from '../domain/access/password-hash.ts'
export {
  checkStoreId,
  checkStoreName,
  digestOf,
  newFirstRunSecret,
  newKey,
  newStoreId,
  rotateKeys,
  withKeyUses,
} from '../domain/access/store-keys.ts'
export { applyWrite, documentIdOf } from '../domain/documents/apply-write.ts'
export type { DecidedWrite } from '../domain/documents/apply-write.ts'
export { requireDocumentMatch } from '../domain/documents/document-tag.ts'
export { embeddedText, textDigest } from '../domain/documents/embedded-text.ts'
export type { FailedWrite } from '../domain/documents/document-write.ts'
export { fieldSalience } from '../domain/documents/field-salience.ts'
export { grownSchema } from '../domain/documents/field-patterns.ts'
export { toIndexDocument } from '../domain/documents/indexed-document.ts'
export type { PlannedRedefinition } from '../domain/documents/schema-conversion.ts'
export {
  conversionFailed,
  conversionFault,
  CONVERSION_FAULTS_MAX,
  plannedRedefinition,
  requireFit,
} from '../domain/documents/schema-conversion.ts'
export { redefinedSchema, redefineFields } from '../domain/documents/redefine-fields.ts'
export { checkSchemaFields, mergeSchema } from '../domain/documents/schema-rules.ts'
export { requireStamp, schemaStamp, type SchemaState } from '../domain/documents/schema-state.ts'
export { failedWrite } from '../domain/documents/write-request.ts'
export { exactJson, rawJson } from '../domain/json/json-exact.ts'
export { ResourceTable } from '../domain/store/resource.ts'
export type { Resource, ResourceChange } from '../domain/store/resource.ts'
export { semanticFields, semanticSettings } from '../domain/store/semantic-settings.ts'
export {
  compareSnapshotNames,
  isSnapshotName,
  newSnapshotName,
} from '../domain/store/snapshot-name.ts'
export { afterTakeover, changedSpaces } from '../domain/store/vector-spaces.ts'
export type { SpaceBook, Spaces } from '../domain/store/vector-spaces.ts'
export { monthOf } from '../domain/values/month.ts'
export { uuidv7 } from '../domain/values/uuid.ts'
