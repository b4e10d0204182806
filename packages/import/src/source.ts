export const IMPORT_FORMATS = ['json', 'ndjson', 'csv', 'tsv', 'xml'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** A file to import, or a stream. */
export interface Source {
  readonly name: string
  readonly format: ImportFormat
  /** Size in bytes; NaN if unknown: then it can be opened only once. */
  readonly bytes: number
  /** Modification time, to recognise the file. */
  readonly changedMs: number
  /** Opens it from the beginning each time. */
  readonly open: (onBytes?: OnBytes, signal?: AbortSignal) => AsyncIterable<Uint8Array>
}

export type OnBytes = (bytes: number) => void

const BY_ENDING: Readonly<Record<string, ImportFormat>> = {
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  xml: 'xml',
  rss: 'xml',
  atom: 'xml',
}

/** The format of a file name extension; `feed.xml.gz` is XML, compressed. */
export function formatOfName(name: string): ImportFormat | undefined {
  const lower = name.toLowerCase()
  const plain = lower.endsWith('.gz') ? lower.slice(0, -3) : lower
  return BY_ENDING[plain.slice(plain.lastIndexOf('.') + 1)]
}

const BY_TYPE: Readonly<Record<string, ImportFormat>> = {
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/rss+xml': 'xml',
  'application/atom+xml': 'xml',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
}

/** The format of a `Content-Type`. */
export function formatOfType(contentType: string): ImportFormat | undefined {
  const [type = ''] = contentType.split(';')
  return BY_TYPE[type.trim().toLowerCase()]
}
