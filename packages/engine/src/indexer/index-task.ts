import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { type DictionaryHandles, DictionaryReader } from '../dictionary/shared-dictionary.ts'
import { buildTree, openTree } from '../dictionary/build-tree.ts'
import { TermReader, type TermHandles } from '../dictionary/term-store.ts'
import type { Schema } from '../schema/schema.ts'
import type { BeginningsRule } from '../segment/beginnings.ts'
import { type MergeSource, mergeSegments } from '../segment/segment-merger.ts'
import { type SavedIndex, saveIndex } from '../storage/index-files.ts'

/** Work that an index hands to a background thread. Input and output are shared memory. */
export type IndexTask =
  | {
      readonly kind: 'merge'
      readonly schema: Schema
      readonly language: string
      readonly terms: TermHandles
      readonly values: readonly (DictionaryHandles | undefined)[]
      readonly beginnings: BeginningsRule
      readonly sources: readonly MergeSource[]
    }
  | {
      readonly kind: 'trie'
      readonly strings: DictionaryHandles
      /** The current trie; reusing it avoids sorting its strings again. */
      readonly previous: SharedArrayBuffer | undefined
    }
  | { readonly kind: 'save'; readonly folder: string; readonly index: SavedIndex }

/** The merged segment or the new tree; a save returns nothing. */
export type IndexTaskResult = SharedArrayBuffer | undefined

/**
 * Performs one task. It accesses only what the task contains, so any thread can run it.
 *
 * @param beat called regularly during the task, so that a watchdog can tell a long task from a
 * hanging one
 */
export function performIndexTask(
  task: IndexTask,
  beat: () => void = () => undefined,
): IndexTaskResult {
  switch (task.kind) {
    case 'merge': {
      const analyzer = createAnalyzer(task.language)
      const values = task.values.map((handles) =>
        handles === undefined ? undefined : new DictionaryReader(handles),
      )
      const { schema, sources, beginnings } = task
      const fold = (text: string): string => analyzer.fold(text)
      const stem = (form: string): string => analyzer.stem(form)
      const terms = new TermReader(task.terms)
      const context = { schema, fold, stem, terms, values, beginnings }
      return mergeSegments(context, sources, beat)
    }
    case 'trie':
      return buildTree(
        new DictionaryReader(task.strings),
        task.previous === undefined ? undefined : openTree(task.previous),
        beat,
      )
    case 'save':
      saveIndex(task.folder, task.index, beat)
      return undefined
  }
}
