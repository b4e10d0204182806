import { RANKING_PARTS } from '../../packages/engine/src/query/ranking-parts.ts'
import { QUERY_CLASS_NAMES } from './query-classes.ts'

/** What `npm run bench -- --help` prints. */
export function benchHelp(levels: readonly string[], usualLevels: string): string {
  return `Speed and memory on catalogs with the vocabulary growth of real ones.

  npm run bench -- --docs 100000
  npm run bench overload -- --docs 100000
  npm run bench neighbours
  npm run bench connections
  npm run bench cluster -- --docs 100000
  npm run bench cluster-load -- --docs 20000 --parts
  npm run bench mix -- --docs 1000000 --index FOLDER
  npm run bench stores -- --stores 2000 --docs 500
  npm run bench -- --docs 1000000 --json bench/results/1m.json --markdown bench/results/1m.md

  --docs N         documents (100000; of a store: 500); made once by scale.py of the data sets, which takes minutes for 1,000,000
  --events N       instead: N events through /v1/b in batches of 100, durable; needs no data sets
  --probes N       instead: N wrong guesses each at secrets and stores, timed: what does the clock tell?
  overload         instead: ten times more searches than can be answered, and their effect on a neighbour
  neighbours       instead: the effect of a store that does its worst on every shared thread
  connections      instead: searches and memory beside --idle connections, then beside --slow readers
  stores           instead: --stores N stores of --docs documents each: memory, start, searches while others load
  mix              instead: real queries over HTTP as fast as --threads N answer them, and the time of each thread
  steps            instead: the time of the classes of --only by step, sampled
  cluster          instead: an API node on three nodes of OpenSearch (Java), the plain requests to OpenSearch,
                   and one machine, in turns
  cluster-load     instead: what loading costs an API node and --nodes N nodes of OpenSearch, beside the plain index;
                   --parts: also without each part of a document
  cluster-size     instead: disk, memory and search times of a store on a cluster with an eighth to all of --docs
  first            instead: searches that were never sent before, after opening, --seconds of rest,
                   a publication and a merge
  schema-change    instead: the role of a field changes while documents stay: its time beside that of the
                   load, and searches meanwhile
  edits            instead: every document is edited and the edit undone, and searches meanwhile
  reports          instead: each report, and the queue of missed searches, of --events N events (1000000); needs no data sets
  experiments      instead: 10,000 simulated experiments of each kind, looked at daily: how often are they
                   decided for no reason? needs no data sets
  experiment-cost  instead: searches without an experiment, in a split and in an interleaved one, in turns
  vectors          instead: the nearest of --docs vectors, with filters, beside an exact scan; needs no data sets
  database         instead: a table of PostgreSQL with --docs rows is copied and followed; needs no data sets
  feed             instead: a made product feed of --docs products is read; needs no data sets
  source           instead: a made product feed of --docs products as a source: its first run, the bulk route, a run
                   that finds nothing changed, and one that finds 1 %; needs no data sets
  --opensearch-url URL,URL  a running cluster for it, which keeps what is loaded (with --index)
  --queries N      of each class there (60)
  --idle N         connections that ask once and keep quiet (10000)
  --slow N         connections that ask for megabytes and take a few bytes a second (500)
  --seconds S      of each of their phases (10)
  --catalog        mix: searches of visitors of that catalog, with facets, filters and orders
  --threads N      serving threads of their service (1)
  --suggestions N  instead: keystrokes among N distinct queries, on --docs documents
  --demo           the demo shop instead: needs no data sets, says nothing about speed
  --levels A,B     ${levels.join(',')} (${usualLevels}); path: what a request costs beside the matching
  --rivals         also Tantivy and, with Java, OpenSearch in the same run, installed outside of git
  --only A,B       query classes: ${QUERY_CLASS_NAMES.join(', ')}
  --index FOLDER   keeps the engine's index (mix: the loaded service) there and opens it the next time
  --without A,B    measures the engine without parts of the ranking as well: ${RANKING_PARTS.join(',')}
  --passes K       measured passes; each query counts by its best one (5)
  --data FOLDER    where the data sets are (AISLE_DATASETS; ../shared/data)
  --json FILE      the report as JSON
  --markdown FILE  the report as a page
`
}
