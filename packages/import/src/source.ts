export const IMPORT_FORMATS = ['json', 'ndjson', 'csv', 'tsv'] as const
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
}

/** The format of a file name extension. */
export function formatOfName(name: string): ImportFormat | undefined {
  return BY_ENDING[name.split('.').at(-1)?.toLowerCase() ?? '']
}
