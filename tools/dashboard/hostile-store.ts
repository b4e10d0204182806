import { createAnalyzer } from '@aisle/engine'
import { readQuery } from '@aisle/suggestions'
import type { DashboardSession, TestStore } from './dashboard-session.ts'
import { PASSWORD } from './dashboard-session.ts'
import { cutText, HOSTILE_STRINGS } from './hostile-strings.ts'
import { sendEvents } from './visitor-history.ts'

const FIELDS_WITH_FACETS = 12
const PEOPLE = 6
/** No field may be called so. */
const RESERVED_NAME = '__proto__'
const FAMILY = 10

/**
 * A store in which everything that can be named or written is one of the hostile strings, of each
 * as much as its place takes; and people and stores that are named so.
 */
export async function createHostileStore(
  session: DashboardSession,
  id: string,
): Promise<TestStore> {
  const store = await session.createStore(id, { name: storeName(HOSTILE_STRINGS), products: 0 })
  await addProducts(store)
  await addRules(store)
  await addStrategies(store)
  await addWords(store)
  await addSuggestions(store)
  await sendEvents(session.service.url, store, hostileEvents())
  await addNeighbours(session, id)
  return store
}

/** Each string is the name of a field, and the value of it in one document, and its id. */
async function addProducts(store: TestStore): Promise<void> {
  const texts = withoutControls(HOSTILE_STRINGS).filter((text) => text !== RESERVED_NAME)
  const names = unique(texts.map((text) => cutText(text, 100)))
  const text = { type: 'string', searchable: true }
  const fields = [
    { name: 'title', ...text },
    { name: 'brand', ...text, facet: true },
    { name: 'description', ...text },
    ...names.map((name, i) => ({
      name,
      ...text,
      facet: i % Math.ceil(names.length / FIELDS_WITH_FACETS) === 0,
    })),
  ]
  await store.call('POST', '/schema', { fields })
  const documents = HOSTILE_STRINGS.map((one, i) => ({
    id: `${i} ${cutText(one, 100)}`,
    action: 'upsert',
    data: {
      title: one,
      brand: cutText(one, 200),
      description: `All products: ${one}`,
      [names[i % names.length]!]: one,
    },
  }))
  await store.call('POST', '/documents/bulk', { documents })
}

async function addRules(store: TestStore): Promise<void> {
  const written = withWords(150)
  for (const [i, one] of written.entries()) {
    if (i % 4 > 0) continue
    const following = written.slice(i, i + 4)
    await store.call('PUT', `/rules/rule-${i}`, {
      description: `${HOSTILE_STRINGS[i]!.slice(0, 900)}`,
      when: following.map((query) => ({ query, match: 'contains' })),
      banner: one,
      ...(i % 8 > 0 ? { replace_query: one } : { remove_words: following }),
      hide: [`${i} ${cutText(HOSTILE_STRINGS[i]!, 100)}`],
      redirect: { url: `https://shop.example/${encodeURIComponent(one)}`, title: one },
      metadata: { [one]: following },
    })
  }
}

async function addStrategies(store: TestStore): Promise<void> {
  for (const [i, title] of withWords(150).entries()) {
    if (i % FAMILY === 0) await store.call('PUT', `/strategies/strategy-${i}`, { title })
  }
}

async function addWords(store: TestStore): Promise<void> {
  const texts = withWords(100)
  const others = texts.map((text, i) => [text, texts[(i + 1) % texts.length]!])
  await store.call('PUT', '/synonym-sets/hostile', {
    default: true,
    items: others.map((synonyms, i) => ({ id: `s${i}`, synonyms })),
  })
  await store.call('PUT', '/stopword-sets/hostile', { stopwords: texts })
  await store.call('PUT', '/query-sets/hostile', {
    description: cutText(HOSTILE_STRINGS.join(' '), 900),
    queries: HOSTILE_STRINGS.map((text) => ({ q: cutText(text, 900) })),
  })
  for (const [i, text] of texts.entries()) {
    if (i % FAMILY > 0) continue
    await store.call('PUT', `/collections/odd ${i}`, {
      title: cutText(text, 200),
      description: text,
      filter_by: `brand:=${JSON.stringify(cutText(text, 60))}`,
    })
    await store.call('PUT', `/presets/preset ${i}`, {
      value: { snippet_prefix: cutText(text, 60), rule_contexts: [text] },
    })
  }
}

async function addSuggestions(store: TestStore): Promise<void> {
  const texts = withWords(80)
  const analyzer = createAnalyzer('en')
  await store.call('PUT', '/suggestions/config', {
    // The service pins no markup, no address, and no code.
    pinned: texts
      .filter((text) => readQuery(text, analyzer) !== undefined)
      .map((query, i) => ({ query, popularity: i })),
    blocklist: texts,
  })
}

/** Each string is searched for by a visitor of that name, found or not, and is an event itself. */
export function hostileEvents(): readonly object[] {
  return HOSTILE_STRINGS.flatMap((text, i) => {
    const envelope = {
      type: 'track',
      anonymousId: cutText(text, 100),
      timestamp: new Date(Date.now() - i * 60_000).toISOString(),
    }
    const search_id = `hostile-${i}`
    const query = cutText(text, 900)
    const properties = { search_id, query, filters: { brand: query }, num_found: i % 2 }
    return [
      { ...envelope, event: 'Search Submitted', messageId: `s${i}`, properties },
      { ...envelope, event: cutText(text, 100), messageId: `e${i}`, properties: { [query]: text } },
      {
        ...envelope,
        event: 'Object Clicked',
        messageId: `c${i}`,
        properties: { search_id, query, object_id: `${i} ${cutText(text, 100)}`, position: 1 },
      },
    ]
  })
}

async function addNeighbours(session: DashboardSession, id: string): Promise<void> {
  const names = withoutControls(HOSTILE_STRINGS)
  for (let i = 0; i < names.length; i += 2 * FAMILY) {
    const name = storeName(names.slice(i))
    await session.createStore(`${id}-${i}`, { name, products: 0 })
  }
  const logins = unique(names.map((name) => cutText(name.replaceAll(/[\s\p{C}]/gu, ''), 60)))
  for (let i = 0; i < PEOPLE; i++) {
    const login = `${i}${logins[i * FAMILY]!}`
    await session.admin('POST', '/users', { login, role: 'analyst', password: PASSWORD })
  }
}

/** What fits into the name of a store: the beginnings of as many strings as there is room for. */
function storeName(texts: readonly string[]): string {
  return cutText(texts.map((text) => cutText(text, 24)).join(' '), 200)
}

/** At most this many UTF-16 units. Fields that are compared with queries need a searched word. */
function withWords(maxChars: number): readonly string[] {
  const word = ' tent'
  return HOSTILE_STRINGS.map((text) => cutText(text, maxChars - word.length) + word)
}

function withoutControls(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !/\p{Cc}/u.test(text))
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
