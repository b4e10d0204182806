import { migrateAlgolia, ALGOLIA_PARTS } from './algolia.ts'
import type { Material } from './material.ts'
import { migrateMeilisearch, MEILISEARCH_PARTS } from './meilisearch.ts'
import type { Migration } from './migration.ts'
import { migrateOpenSearch, OPENSEARCH_PARTS } from './opensearch.ts'
import { migrateTypesense, TYPESENSE_PARTS } from './typesense.ts'

interface Translator {
  /** The parts of an export besides its documents, the required one first. */
  readonly parts: readonly string[]
  readonly translate: (material: Material) => Migration
}

const TRANSLATORS = {
  typesense: { parts: TYPESENSE_PARTS, translate: migrateTypesense },
  meilisearch: { parts: MEILISEARCH_PARTS, translate: migrateMeilisearch },
  algolia: { parts: ALGOLIA_PARTS, translate: migrateAlgolia },
  opensearch: { parts: OPENSEARCH_PARTS, translate: migrateOpenSearch },
} satisfies Record<string, Translator>

/** The supported engines. */
export type Engine = keyof typeof TRANSLATORS
export const ENGINES = Object.keys(TRANSLATORS) as readonly Engine[]

/** The parts of an export of an engine besides its documents, the required one first. */
export function partsOf(engine: Engine): readonly string[] {
  return TRANSLATORS[engine].parts
}

/**
 * Converts a catalog of another engine to a store.
 *
 * @throws SourceError if its schema is missing or invalid
 */
export function migrate(engine: Engine, material: Material): Migration {
  const migration = TRANSLATORS[engine].translate(material)
  const absent = partsOf(engine).filter((part) => material.parts[part] === undefined)
  const notes = absent.map((part) => ({
    about: `${part}.json`,
    note: 'was not in the export: nothing was migrated',
  }))
  return { ...migration, notes: [...notes, ...migration.notes] }
}
