import { ID_DEFAULT, rankOf } from './id-names.ts'
import { FileProfile } from './profile/file-profile.ts'
import type { IdFigures } from './profile/id-stats.ts'
import { openRows, type ReadOptions, type Rows } from './rows.ts'
import type { Source } from './source.ts'

/** Rows of a stream that are profiled before they are sent: a stream can be read only once. */
const STREAM_ROWS_MAX = 10_000
/** Maximum share of rows with a missing or repeated id in an id column. */
const ID_FAULTS_SHARE_MAX = 0.3
const REPORT_EVERY_ROWS = 1_000

interface ProfileSourceOptions extends ReadOptions {
  readonly listSeparator: string
  /** The id column that the user chose; its values are compared regardless of its name. */
  readonly idColumn: string
  /** Called now and then with the number of rows read so far. */
  readonly onRows?: (rowCount: number) => void
}

export interface ProfiledSource {
  /** Its columns, encoding and first rows. */
  readonly rows: Omit<Rows, 'all'>
  readonly profile: FileProfile
  /** Yields all rows from the first; for a stream, only once. */
  readonly open: (onBytes?: (bytes: number) => void) => Promise<Rows>
}

/**
 * Profiles the columns of a file, reading it to its end, or of the first rows of a stream.
 *
 * @throws ImportError if the source cannot be read
 */
export async function profileSource(
  source: Source,
  options: ProfileSourceOptions,
): Promise<ProfiledSource> {
  const { listSeparator, idColumn, onRows, signal } = options
  const isFile = !Number.isNaN(source.bytes)
  const rows = await openRows(
    source,
    isFile ? options : { ...options, sampleRows: STREAM_ROWS_MAX },
  )
  const profile = new FileProfile({ columns: rows.columns, listSeparator, idColumn })
  if (!isFile) {
    for (const row of rows.sample) profile.add(row)
    profile.isSample = rows.sample.length >= STREAM_ROWS_MAX
    return { rows, profile, open: () => Promise.resolve(rows) }
  }
  for await (const row of rows.all) {
    profile.add(row)
    if (profile.rowCount % REPORT_EVERY_ROWS !== 0) continue
    signal?.throwIfAborted()
    onRows?.(profile.rowCount)
  }
  const { onBytes: _, ...again } = options
  const encoding = rows.encoding.label
  return {
    rows,
    profile,
    open: async (onBytes) =>
      openRows(source, { ...again, encoding, ...(onBytes ? { onBytes } : {}) }),
  }
}

/**
 * The likeliest id column, by its name and by distinct values in all rows; one with a few faults if
 * there is no better one.
 */
export function likelyIds(
  profile: FileProfile,
): { readonly column: string; readonly figures: IdFigures } | undefined {
  const ranked = [...profile.ids]
    .map(([column, figures]) => ({
      column,
      figures,
      rank: column === ID_DEFAULT ? -1 : rankOf(column),
    }))
    .filter(({ column, rank }) => column === ID_DEFAULT || rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
  const faultsOf = ({ emptyCount, repeatedCount, badCount }: IdFigures): number =>
    emptyCount + repeatedCount + badCount
  return (
    ranked.find(({ figures }) => figures.rowCount > 0 && faultsOf(figures) === 0) ??
    ranked.find(({ figures }) => faultsOf(figures) < figures.rowCount * ID_FAULTS_SHARE_MAX)
  )
}
