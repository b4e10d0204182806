import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  createAnalyzer,
  IndexWriter,
  performIndexTask,
  queryAnalyzer,
  Searcher,
  type Field,
  type Schema,
} from '@aisle/engine'
import type { Documentation, DocumentationCatalog } from '../../ports/search/documentation.ts'
import type { PageFiles } from '../../ports/host/page-files.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'

const SECTIONS = 'sections.json'
const LANGUAGE = 'en'
/** Sections indexed in one turn of the event loop: 10 to 20 ms of processor time. */
const BATCH_SECTIONS = 20

/** A part of a page, as docs/.vitepress/sections.ts writes it. */
interface Section {
  readonly id: string
  readonly title: string
  readonly heading?: string
  readonly text: string
}

const FIELDS = ['title', 'heading', 'text'] as const
const SCHEMA: Schema = {
  fields: FIELDS.map((name): Field => ({
    name,
    type: 'string',
    searchable: true,
    facet: false,
    sort: false,
  })),
}

/** @returns undefined if the site was not built */
export function openDocumentation(pages: PageFiles | undefined): Documentation | undefined {
  if (pages === undefined) return undefined
  let catalog: Promise<DocumentationCatalog> | undefined
  return { pages, catalog: () => (catalog ??= indexSections(sectionsIn(pages))) }
}

function sectionsIn(pages: PageFiles): readonly Section[] {
  const file = pages.find(SECTIONS)
  return file === undefined ? [] : (JSON.parse(file.read('identity').toString()) as Section[])
}

/**
 * Indexes the sections with the engine, in the memory of this thread: 700 of them take less time
 * than a page load, and nothing is written.
 */
async function indexSections(sections: readonly Section[]): Promise<DocumentationCatalog> {
  const writer = new IndexWriter(SCHEMA, LANGUAGE)
  for (let from = 0; from < sections.length; from += BATCH_SECTIONS) {
    const added = sections.slice(from, from + BATCH_SECTIONS).map((section, i) => ({
      docKey: from + i + 1,
      id: section.id,
      values: FIELDS.map((name) => section[name]),
    }))
    writer.apply({ added, removed: [] })
    await nextTurn()
  }
  const { all } = writer.termCounts
  const trie = performIndexTask(writer.trieTask())
  if (trie !== undefined) writer.setTrie(trie, all)
  const searcher = new Searcher()
  searcher.update(writer.snapshot())

  const keys = new Map(sections.map(({ id }, i) => [id, i + 1]))
  const findKey = (id: string): number | undefined => keys.get(id)
  const view: SearchView = {
    schema: SCHEMA,
    analyzer: queryAnalyzer(createAnalyzer(LANGUAGE), SCHEMA),
    resources: { get: () => undefined, list: () => [] },
    version: 1,
    content: 'docs',
    docCount: () => sections.length,
    search: (plan) => searcher.search(plan, findKey),
    complete: (plan, request) => searcher.complete(plan, request, findKey),
    holds: (stems) => stems.map((stem) => searcher.holds(stem)),
    matchingKeys: (filter) => searcher.matchingKeys(filter, findKey),
  }
  return {
    backend: { view: () => view },
    reader: {
      fetch: () => (docKey) => {
        const section = sections[docKey - 1]
        if (section === undefined) return undefined
        const { id, ...data } = section
        return { docKey, id, json: Buffer.from(JSON.stringify(data)) }
      },
    },
  }
}
