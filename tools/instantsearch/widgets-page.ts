/** A page with every widget of InstantSearch.js, each in its own container. */
export const WIDGETS_PAGE = `
import instantsearch from 'instantsearch.js'
import * as widgets from 'instantsearch.js/es/widgets'
import { instantSearchClient } from '@aisle/instantsearch-adapter'

function place(id) {
  const element = document.createElement('div')
  element.id = id
  document.body.append(element)
  return element
}

function start({ url, stores, routing }) {
  const searchClient = instantSearchClient({ url, stores, parameters: { typo_max: 1 } })
  const search = instantsearch({
    indexName: 'lamps',
    searchClient,
    routing,
    future: { preserveSharedStateOnUnmount: true },
  })
  const item = (hit, { html, components }) => html\`
    <a class="title">\${components.Highlight({ hit, attribute: 'title' })}</a>
    <p class="about">\${components.Snippet({ hit, attribute: 'about' })}</p>
    <p class="colors">\${components.Highlight({ hit, attribute: 'colors' })}</p>\`
  search.addWidgets([
    widgets.configure({ attributesToSnippet: ['about:6'], maxValuesPerFacet: 50 }),
    widgets.searchBox({ container: place('box') }),
    widgets.stats({ container: place('stats'), templates: { text: ({ nbHits }) => nbHits + ' lamps' } }),
    widgets.hits({ container: place('hits'), templates: { item } }),
    widgets.refinementList({
      container: place('brand'), attribute: 'brand', searchable: true, showMore: true, limit: 2,
    }),
    widgets.menu({ container: place('room'), attribute: 'room' }),
    widgets.menuSelect({ container: place('shade'), attribute: 'shade' }),
    widgets.hierarchicalMenu({ container: place('kind'), attributes: ['kind.lvl0', 'kind.lvl1'] }),
    widgets.breadcrumb({ container: place('crumbs'), attributes: ['kind.lvl0', 'kind.lvl1'] }),
    widgets.rangeInput({ container: place('range'), attribute: 'price' }),
    widgets.rangeSlider({ container: place('slider'), attribute: 'price' }),
    widgets.numericMenu({
      container: place('watts'),
      attribute: 'watts',
      items: [{ label: 'All' }, { label: 'Low', end: 20 }, { label: 'High', start: 21 }],
    }),
    widgets.ratingMenu({ container: place('rating'), attribute: 'rating' }),
    widgets.toggleRefinement({ container: place('stock'), attribute: 'in_stock' }),
    widgets.sortBy({
      container: place('sort'),
      items: [
        { label: 'Best', value: 'lamps' },
        { label: 'Cheapest', value: 'lamps/sort/price:asc' },
        { label: 'Dearest', value: 'lamps/sort/price:desc' },
      ],
    }),
    widgets.hitsPerPage({
      container: place('size'),
      items: [{ label: '5', value: 5, default: true }, { label: '10', value: 10 }],
    }),
    widgets.pagination({ container: place('pages') }),
    widgets.currentRefinements({ container: place('current') }),
    widgets.clearRefinements({ container: place('clear') }),
    widgets.queryRuleCustomData({
      container: place('banner'),
      templates: { default: ({ items }) => JSON.stringify(items) },
    }),
    widgets.dynamicWidgets({
      container: place('dynamic'),
      facets: ['*'],
      widgets: [
        (container) => widgets.refinementList({ container, attribute: 'colors', operator: 'and' }),
      ],
    }),
    widgets.relatedProducts({
      container: place('related'),
      objectIDs: ['lamp-3'],
      limit: 2,
      queryParameters: { facetFilters: ['room:Study'] },
      templates: { item: (hit) => hit.title },
    }),
    widgets.lookingSimilar({
      container: place('similar'), objectIDs: ['lamp-3'], limit: 2, templates: { item: (hit) => hit.title },
    }),
    widgets.frequentlyBoughtTogether({
      container: place('together'), objectIDs: ['lamp-3'], limit: 2, templates: { item: (hit) => hit.room },
    }),
    widgets.trendingItems({ container: place('trending'), limit: 3, templates: { item: (hit) => hit.title } }),
    widgets.index({ indexName: 'guides', indexId: 'advice' }).addWidgets([
      widgets.configure({ hitsPerPage: 4 }),
      widgets.infiniteHits({
        container: place('guides'),
        templates: { item: (hit, { components }) => components.Highlight({ hit, attribute: 'name' }) },
      }),
    ]),
  ])
  search.on('error', ({ error }) => (globalThis.failure = String(error)))
  search.start()
}
Object.assign(globalThis, { start })`

/** A page with rare features: panels around widgets, speech, contexts of rules. */
export const RARE_WIDGETS_PAGE = `
import instantsearch from 'instantsearch.js'
import * as widgets from 'instantsearch.js/es/widgets'
import { instantSearchClient } from '@aisle/instantsearch-adapter'

/** Recognizes the text set by the test. */
globalThis.webkitSpeechRecognition = class extends EventTarget {
  start() {
    globalThis.say = (transcript) => {
      const result = Object.assign([{ transcript }], { isFinal: true })
      this.dispatchEvent(Object.assign(new Event('result'), { results: [result] }))
      this.dispatchEvent(new Event('end'))
    }
    this.dispatchEvent(new Event('start'))
  }
  stop() {}
}

function place(id) {
  const element = document.createElement('div')
  element.id = id
  document.body.append(element)
  return element
}

function start({ url, stores }) {
  globalThis.warned = []
  globalThis.pushed = []
  const searchClient = instantSearchClient({ url, stores, onWarning: (text) => globalThis.warned.push(text) })
  const search = instantsearch({
    indexName: 'lamps', searchClient, future: { preserveSharedStateOnUnmount: true },
  })
  const title = (hit) => hit.title
  const framed = widgets.panel({
    templates: { header: ({ results }) => 'Room of ' + (results?.nbHits ?? 0), footer: 'all rooms' },
    hidden: ({ results }) => results.nbHits === 0,
    collapsed: ({ state }) => state.query === 'desk',
  })(widgets.refinementList)
  search.addWidgets([
    widgets.configure({ hitsPerPage: 5 }),
    widgets.searchBox({ container: place('box') }),
    widgets.stats({ container: place('stats'), templates: { text: ({ nbHits }) => nbHits + ' lamps' } }),
    widgets.hits({ container: place('hits'), templates: { item: title } }),
    framed({ container: place('room'), attribute: 'room' }),
    widgets.voiceSearch({ container: place('voice') }),
    widgets.queryRuleContext({ trackedFilters: { room: (values) => values } }),
    widgets.queryRuleCustomData({
      container: place('banner'), templates: { default: ({ items }) => JSON.stringify(items) },
    }),
    widgets.relevantSort({
      container: place('relevant'),
      templates: { text: ({ isRelevantSorted }) => String(isRelevantSorted), button: () => 'all' },
    }),
    widgets.poweredBy({ container: place('powered') }),
    widgets.analytics({ pushFunction: (query) => globalThis.pushed.push(query), pushInitialSearch: true }),
    widgets.EXPERIMENTAL_autocomplete({
      container: place('complete'),
      indices: [
        { indexName: 'guides', templates: { item: ({ item }) => item.name } },
      ],
    }),
    widgets.index({ indexName: 'lamps', indexId: 'similar' }).addWidgets([
      widgets.EXPERIMENTAL_configureRelatedItems({
        hit: { objectID: 'lamp-3', room: 'Study' }, matchingPatterns: { room: { score: 1 } },
      }),
      widgets.hits({ container: place('similar'), templates: { item: title } }),
    ]),
  ])
  search.on('error', ({ error }) => (globalThis.failure = String(error)))
  search.start()
}
Object.assign(globalThis, { start })`
