import { createAnalyzer, type Analyzer } from '@aisle/engine'

/** What the documents and queries of every store are analysed with. */
export const storeAnalyzer: Analyzer = createAnalyzer('en')
