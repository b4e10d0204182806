import type { ResourceKind } from '@aisle/client'
import { text, type Tool } from './tool.ts'

const KINDS = [
  'rules',
  'presets',
  'collections',
  'synonym-sets',
  'stopword-sets',
] as const satisfies ResourceKind[]
const SYNONYM_SET = 'assistant'

/** How a store is set up; they need the write secret. */
export const SETTINGS_TOOLS: readonly Tool[] = [
  {
    name: 'get_schema',
    title: 'Get the schema',
    description:
      'All fields: name, type, and whether they can be searched, filtered and counted (facet), or sorted by.',
    input: {},
    run: async (store) => ({ ...(await store.schema()) }),
  },
  {
    name: 'get_settings',
    title: 'Get the settings',
    description:
      'The settings in force: language, ranking, product card, display of facets, limits.',
    input: {},
    run: async (store) => ({ ...(await store.settings()) }),
  },
  {
    name: 'list_configuration',
    title: 'List rules, presets, collections or sets',
    description: 'All rules, presets, collections, synonym sets or stop word sets of the store.',
    input: { kind: { type: 'string', enum: [...KINDS], description: 'Which kind' } },
    required: ['kind'],
    run: async (store, { kind }) => ({ items: await store.resources(kind as ResourceKind) }),
  },
  {
    name: 'preview_rule',
    title: 'Preview a rule',
    description:
      'The results of a search with and without an unsaved rule. The rule as in docs/rules.md: `{"when": [{"query": "tent"}], "pin": [{"id": "4", "position": 1}]}`.',
    input: { rule: { type: 'object', description: 'The rule' }, query: text('The search') },
    required: ['rule', 'query'],
    run: async (store, { rule, query }) => ({
      ...(await store.previewRule({ rule: rule as object, search: { q: String(query) } })),
    }),
  },
]

/** Tools that change a store; they must be enabled. */
export const CHANGING_TOOLS: readonly Tool[] = [
  {
    name: 'put_rule',
    title: 'Save a rule',
    description: 'Creates or replaces a merchandising rule. Try it with preview_rule first.',
    input: { id: text('Its id', 128), rule: { type: 'object', description: 'The rule' } },
    required: ['id', 'rule'],
    changes: true,
    run: async (store, { id, rule }) => {
      await store.putResource('rules', String(id), rule as Record<string, unknown>)
      return { saved: String(id) }
    },
  },
  {
    name: 'put_synonyms',
    title: 'Save synonyms',
    description: `Words that find each other, or words that a query for the root also finds. They are added to the set "${SYNONYM_SET}".`,
    input: {
      synonyms: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 200 },
        minItems: 1,
        maxItems: 20,
        description: 'The words',
      },
      root: text('One-way: only a query for this finds the others', 200),
    },
    required: ['synonyms'],
    changes: true,
    run: async (store, { synonyms, root }) => {
      const sets = await store.resources('synonym-sets')
      const items = (sets.find(({ name }) => name === SYNONYM_SET)?.value['items'] ??
        []) as object[]
      const item = { synonyms, ...(root === undefined ? {} : { root }) }
      const isThere = items.some((one) => JSON.stringify(one) === JSON.stringify(item))
      const value = { items: isThere ? items : [...items, item], default: true }
      await store.putResource('synonym-sets', SYNONYM_SET, value)
      return { set: SYNONYM_SET, items: value.items.length }
    },
  },
]
