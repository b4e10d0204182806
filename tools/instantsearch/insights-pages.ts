/** Begins each page: its clients. */
const CLIENTS = `
import { AisleEvents } from '@aisle/events'
import { insightsClient, instantSearchClient } from '@aisle/instantsearch-adapter'

const { url, stores, writeKey } = JSON.parse(document.querySelector('#options').textContent)
const events = new AisleEvents({ url, writeKey, consent: true })
const searchClient = instantSearchClient({ url, stores, events })
const insights = { insightsClient: insightsClient(events) }
Object.assign(globalThis, { events })
const calls = {
  click: (sendEvent, hit) => sendEvent('click', hit, 'Lamp clicked'),
  add: (sendEvent, hit) => sendEvent('conversion', hit, 'Added', { eventSubtype: 'addToCart' }),
  convert: (sendEvent, hit) => sendEvent('conversion', hit, 'Compared'),
}
`

const JS_PAGE = `${CLIENTS}
import instantsearch from 'instantsearch.js'
import * as widgets from 'instantsearch.js/es/widgets'
import { carousel } from 'instantsearch.js/es/templates'

function place(id) {
  const element = document.createElement('div')
  element.id = id
  document.querySelector('#app').append(element)
  return element
}
const item = (hit, { html, sendEvent }) => html\`<b onclick=\${() => calls.click(sendEvent, hit)}>\${hit.title}</b>
  <button class="add" onclick=\${() => calls.add(sendEvent, hit)}>add</button>
  <button class="convert" onclick=\${() => calls.convert(sendEvent, hit)}>compare</button>\`
const search = instantsearch({ indexName: 'lamps', searchClient, insights })
search.addWidgets([
  widgets.configure({ hitsPerPage: 5 }),
  widgets.searchBox({ container: place('box') }),
  widgets.refinementList({ container: place('room'), attribute: 'room' }),
  widgets.hits({ container: place('hits'), templates: { item } }),
  widgets.relatedProducts({
    container: place('related'), objectIDs: ['lamp-3'], limit: 3, templates: { item, layout: carousel() },
  }),
  widgets.index({ indexName: 'lamps', indexId: 'all' }).addWidgets([
    widgets.configure({ hitsPerPage: 4 }),
    widgets.infiniteHits({ container: place('more'), templates: { item } }),
  ]),
])
search.start()`

const REACT_PAGE = `${CLIENTS}
import { createRoot } from 'react-dom/client'
import {
  Carousel, Configure, Hits, Index, InfiniteHits, InstantSearch, RefinementList, RelatedProducts, SearchBox,
} from 'react-instantsearch'

function Lamp({ hit, item = hit, sendEvent }) {
  return (
    <>
      <b onClick={() => calls.click(sendEvent, item)}>{item.title}</b>
      <button className="add" onClick={() => calls.add(sendEvent, item)}>add</button>
      <button className="convert" onClick={() => calls.convert(sendEvent, item)}>compare</button>
    </>
  )
}
createRoot(document.querySelector('#app')).render(
  <InstantSearch indexName="lamps" searchClient={searchClient} insights={insights}>
    <Configure hitsPerPage={5} />
    <div id="box"><SearchBox /></div>
    <div id="room"><RefinementList attribute="room" /></div>
    <div id="hits"><Hits hitComponent={Lamp} /></div>
    <div id="related">
      <RelatedProducts objectIDs={['lamp-3']} limit={3} itemComponent={Lamp} layoutComponent={Carousel} />
    </div>
    <Index indexName="lamps" indexId="all">
      <Configure hitsPerPage={4} />
      <div id="more"><InfiniteHits hitComponent={Lamp} showPrevious={false} /></div>
    </Index>
  </InstantSearch>,
)`

/** Vue InstantSearch has no widgets for recommendations. */
const VUE_PAGE = `${CLIENTS}
import { createApp } from 'vue/dist/vue.esm-bundler.js'
import InstantSearch from 'vue-instantsearch/vue3/es'

const Lamp = {
  props: ['hit', 'sendEvent'],
  methods: calls,
  template: \`
    <b @click="click(sendEvent, hit)">{{ hit.title }}</b>
    <button class="add" @click="add(sendEvent, hit)">add</button>
    <button class="convert" @click="convert(sendEvent, hit)">compare</button>\`,
}
createApp({
  components: { Lamp },
  data: () => ({ searchClient, insights }),
  template: \`
    <ais-instant-search :search-client="searchClient" index-name="lamps" :insights="insights">
      <ais-configure :hits-per-page.camel="5" />
      <div id="box"><ais-search-box /></div>
      <div id="room"><ais-refinement-list attribute="room" /></div>
      <div id="hits"><ais-hits>
        <template #item="{ item, sendEvent }"><lamp :hit="item" :send-event="sendEvent" /></template>
      </ais-hits></div>
      <ais-index index-name="lamps" index-id="all">
        <ais-configure :hits-per-page.camel="4" />
        <div id="more"><ais-infinite-hits>
          <template #item="{ item, sendEvent }"><lamp :hit="item" :send-event="sendEvent" /></template>
        </ais-infinite-hits></div>
      </ais-index>
    </ais-instant-search>\`,
}).use(InstantSearch).mount('#app')`

/** The same page with each library: hits, hits page by page, and a carousel of related products. */
export const INSIGHTS_PAGES = {
  'InstantSearch.js': JS_PAGE,
  'React InstantSearch': REACT_PAGE,
  'Vue InstantSearch': VUE_PAGE,
} as const
